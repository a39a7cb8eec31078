// The entry of `lockkit/audit`: the hash-chained log, its verification and its display.
export { openAuditLog } from './audit/audit-log.js';
export type { AuditLog, AuditLogOptions, AuditNews } from './audit/audit-log.js';
export type { AuditEvent, AuditHead, AuditRecord } from './audit/record.js';
export { encodeArgvField } from './audit/argv-field.js';
export type { ArgvField } from './audit/argv-field.js';
export { createRefusalTally } from './audit/refusal-tally.js';
export type { RefusalTally, RefusalTallyParts } from './audit/refusal-tally.js';
export { verifyAudit } from './audit/verify-audit.js';
export type { AuditVerdict, BrokenReason, VerifyOptions } from './audit/verify-audit.js';
export { renderRecord, renderVerdict, showAudit } from './audit/show-audit.js';
export type { ShowOptions } from './audit/show-audit.js';
