/** The server's own shapes, generated from its schema, under the names the front end uses. */
import type { components } from './schema'

type Schemas = components['schemas']

export type ApiToken = Schemas['TokenOut']
export type NewApiToken = Schemas['NewTokenOut']
export type Member = Schemas['MemberOut']
export type Invitation = Schemas['InvitationOut']
export type NewInvitation = Schemas['NewInvitationOut']
export type InvitationDoor = Schemas['InvitationDoorOut']
export type Walk = Schemas['WalkOut']
export type Stage = Schemas['StageStateOut']
export type StageState = Stage['state']
export type StageParameter = Schemas['StageParameterOut']
export type Run = Schemas['RunOut']
export type RunStatus = Run['status']
export type Refusal = Schemas['RefusalOut']
export type Candidate = Schemas['CandidateOut']
export type ImageCounts = Schemas['ImageCountsOut']
export type Selection = Schemas['SelectionOut']
export type Votes = Schemas['VotesOut']
