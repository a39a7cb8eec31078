// lockkit/hub-postgres: the hub's record on PostgreSQL, for several hubs that share one. Loads the database client.
export { openPostgresStore } from './tickets/store/postgres-store.js';
export type { PostgresOptions } from './tickets/store/postgres-link.js';
