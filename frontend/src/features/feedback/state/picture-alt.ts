import { t } from '@/messages/remarks'

/** What a picture is, for who reads what somebody else judged. */
export const pictureAlt = { ofCaptions: t.photograph, judged: t.judgedPicture }
