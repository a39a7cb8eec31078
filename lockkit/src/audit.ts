// The entry of `lockkit/audit`.
export {};
