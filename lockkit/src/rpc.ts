// lockkit/rpc: the messages, framing and socket names that both sides share.
export { LineCutter } from './rpc/frames.js';
export { WIRE_LIMITS } from './rpc/limits.js';
export {
  encodeReply,
  encodeRequest,
  parseReply,
  parseRequest,
  type Reply,
  type Request,
  type RequestId,
} from './rpc/messages.js';
export { socketPath, type SocketName } from './rpc/socket-path.js';
