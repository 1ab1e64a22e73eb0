/**
 * What the server says in English, by its code, or by the sentence where it has none. English has no such list: there
 * the server's own sentence stands. tests/backend/common/test_german_refusals.py holds it to the codes people can meet.
 */
export const refusals: Readonly<Record<string, string>> = {
  error: 'Etwas ging schief. Versuch es noch einmal.',
  invalid: 'Etwas von dem, was du gesendet hast, ist so nicht verwendbar.',
  not_allowed: 'Deine Rolle in diesem Projekt erlaubt das nicht.',
  not_found: 'Hier ist nichts, oder es ist nicht für dich bestimmt.',
  conflict: 'Jemand oder etwas war schneller: Lade die Seite neu und versuch es noch einmal.',
  stale: 'Das wurde geändert, seit du es geöffnet hast: Lade die Seite neu und mach deine Änderung noch einmal.',
  gone: 'Das gibt es nicht mehr.',
  bad_request: 'Der Server konnte damit nichts anfangen. Lade die Seite neu und versuch es noch einmal.',
  unreadable: 'Der Server konnte nicht lesen, was gesendet wurde. Lade die Seite neu und versuch es noch einmal.',
  method_not_allowed: 'Diese Adresse nimmt das nicht an.',
  too_large: 'Das ist mehr, als diese Adresse auf einmal annimmt. Sende es in Teilen.',
  unsupported_media_type: 'Der Server kennt dieses Format nicht.',
  not_acceptable: 'Der Server kann nicht in der gewünschten Form antworten.',
  too_many_requests: 'Das waren zu viele Versuche. Warte eine Minute und versuch es dann noch einmal.',
  database_unavailable:
    'Die Datenbank antwortet gerade nicht. Versuch es gleich noch einmal; nichts wird doppelt gezählt.',
  server_error: 'Auf dem Server ging etwas schief. Versuch es gleich noch einmal.',
  unavailable: 'Das geht im Augenblick nicht. Versuch es in einer Minute noch einmal.',
  csrf_failed: 'Diese Seite ist zu alt, um noch etwas zu senden. Lade sie neu und versuch es noch einmal.',
  not_signed_in: 'Melde dich zuerst an.',
  wrong_credentials: 'Name oder Passwort stimmen nicht.',
  wrong_password: 'Das ist nicht dein jetziges Passwort.',
  sign_up_closed: 'Hier kann sich niemand selbst anmelden. Bitte jemanden, der kuratiert, um eine Einladung.',
  invitation_spent: 'Diese Einladung gilt nicht mehr: Bitte um eine neue.',
  already_member: 'Du gehörst schon zu diesem Projekt. Der Link bleibt für jemand anderen.',
  already_accepted: 'Diese Einladung hat schon jemand angenommen. Entferne stattdessen das Mitglied.',
  last_curator: 'Ein Projekt braucht jemanden, der es kuratiert: Gib zuerst jemand anderem diese Rolle.',
  lease_expired:
    'Deine Zeit für dieses HIT ist abgelaufen, und andere können es bekommen. Was du sendest, wird trotzdem behalten.',
  already_submitted: 'Dieses HIT wurde schon gesendet, vielleicht aus einem anderen Tab. Es bleibt, wie es war.',
  already_returned: 'Du hast dieses HIT zurückgegeben, damit andere es bekommen. Hol dir das nächste.',
  already_skipped: 'Du hast dieses HIT anderen überlassen, es nimmt nichts mehr von dir an. Hol dir das nächste.',
  still_judged:
    'Ein Release verrät, welche Bildtexte keine Kontrollaufgaben sind und was andere sagten: Es öffnet sich dir, sobald hier nichts mehr zu beurteilen ist.',
  left_too_many:
    'Du hast viele HITs für später zurückgegeben. Beurteile dieses, oder überlass es anderen und sag, warum.',
  crowded: 'Zu viele haben gleichzeitig nach denselben HITs gegriffen. Versuch es noch einmal.',
  idempotency_key_needed: 'Dieser Seite fehlt etwas, um zu senden. Lade sie neu; deine Arbeit bleibt auf diesem Gerät.',
  draft_too_long: 'Das ist zu lang für einen Entwurf: Kürze die Kommentare oder Änderungen.',
  review_closed: 'Auf dieser Seite ist etwas entschieden, daher bleiben deine Urteile hier, wie sie sind.',
  guidelines_changed:
    'Die Richtlinien haben sich geändert, während du sie gelesen hast: Lies sie so, wie sie jetzt sind.',
  guidelines_first: 'Lies zuerst die Richtlinien des Projekts.',
  no_quiz_asked: 'Dieses Projekt hat kein Quiz.',
  already_passed: 'Du hast das Quiz bestanden: Du kannst anfangen.',
  no_attempts_left: 'Du hast alle Versuche beim Quiz verbraucht. Wer das Projekt kuratiert, kann dir weitere geben.',
  retry_later: 'Für den nächsten Versuch beim Quiz ist es noch zu früh.',
  no_quiz_items: 'Das Quiz hat noch nicht genug Fragen. Wer das Projekt kuratiert, muss welche anlegen.',
  answer_final: 'Diese Frage ist schon beantwortet, vielleicht in einem anderen Tab. Die erste Antwort gilt.',
  attempt_void: 'Dieser Versuch zählt nicht mehr, weil das Quiz geändert wurde. Fang es neu an.',
  remark_on_control: 'Zu diesem hier kann keine Rückmeldung geschrieben werden.',
  nobody_reads: 'Wer das beurteilt hat, liest hier keine Rückmeldungen.',
  link_broken: 'Dieser Link zu einem Bild ist nicht vollständig. Lade die Seite neu.',
  link_expired: 'Dieser Link zu einem Bild gilt nicht mehr. Lade die Seite neu.',
  'The photograph to judge the captions by.': 'Das Foto, nach dem du die Bildtexte beurteilst.',
  'The photograph that the question is about.': 'Das Foto, um das es in der Frage geht.',
  'This judgment was changed at the same moment, perhaps in another tab. Reload to see how it stands.':
    'Dieses Urteil wurde im selben Augenblick geändert, vielleicht in einem anderen Tab. Lade die Seite neu, um zu sehen, wie es steht.',
  'You have not submitted this page, so it is not among your past work yet.':
    'Dieses HIT hast du nicht abgegeben, deshalb ist es noch nicht unter deiner Arbeit.',
  'Nothing is judged at this position yet: submit the whole HIT first.':
    'Hier ist noch nichts beurteilt: Gib zuerst das ganze HIT ab.',
  'This project has no such judgment.': 'Dieses Projekt hat kein solches Urteil.',
  "Read the project's guidelines before you begin.": 'Lies die Richtlinien des Projekts, bevor du anfängst.',
  'The guidelines changed since you read them: read them again before you go on.':
    'Die Richtlinien haben sich geändert, seit du sie gelesen hast: Lies sie noch einmal, bevor du weitermachst.',
  "Pass the project's quiz before you begin.": 'Bestehe das Quiz des Projekts, bevor du anfängst.',
  'Your pass of the quiz no longer holds: pass it again before you go on.':
    'Dein bestandenes Quiz gilt nicht mehr: Bestehe es noch einmal, bevor du weitermachst.',
  'Too many of your answers differ from what is known to be right.':
    'Zu viele deiner Antworten weichen von dem ab, was sicher richtig ist.',
  'Many of your answers came faster than the items can be looked at.':
    'Viele deiner Antworten kamen schneller, als man hinschauen kann.',
  'You often gave a whole page one answer, more often than its items explain.':
    'Du hast oft einem ganzen HIT dieselbe Antwort gegeben, öfter als sich durch den Inhalt erklärt.',
  'Your answers follow the place on the screen more than the items do.':
    'Deine Antworten richten sich mehr nach dem Platz auf dem Bildschirm als nach dem Inhalt.',
  'Your answers differ from those of most others more often than is usual here.':
    'Deine Antworten weichen öfter von denen der meisten anderen ab, als es hier üblich ist.',
  'You left many of the pages you were shown to others.': 'Du hast viele der HITs, die du bekamst, anderen überlassen.',
  'This field is required.': 'Das muss ausgefüllt sein.',
  'This field may not be blank.': 'Das darf nicht leer sein.',
  'Enter a valid email address.': 'Das ist keine E-Mail-Adresse.',
  'This password is too common.': 'Dieses Passwort ist zu verbreitet.',
  'The password is too similar to the username.': 'Das Passwort ist dem Namen zu ähnlich.',
}
