// lockkit/agent: the secret-free client of any lock.
export {
  callAction,
  errorOf,
  type ActionCall,
  type ActionError,
  type ActionOutcome,
  type Choice,
} from './agent/call-action.js';
export { callStatus } from './agent/call-status.js';
export { DEMO_SOCKET_DIR, findPlace, type Place } from './agent/place.js';
export { listProfileNames, userConfigHome, type ProfileName } from './agent/profile-names.js';
