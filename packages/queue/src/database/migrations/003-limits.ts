import type { Migration } from './migration.ts';

/** What all workers together ask of a connection. Nothing of it is worth a crash of the server: the tables are empty after one. */
export const limits: Migration = {
  name: 'limits',
  sql: `
CREATE UNLOGGED TABLE pace (
  connection text PRIMARY KEY,
  requests_until timestamptz NOT NULL DEFAULT 'epoch',
  tokens_until timestamptz NOT NULL DEFAULT 'epoch',
  closed_until timestamptz NOT NULL DEFAULT 'epoch'
) WITH (fillfactor = 50);
COMMENT ON COLUMN pace.requests_until IS 'when all requests that were handed out are used up at the even rate; of tokens likewise';
COMMENT ON COLUMN pace.closed_until IS 'the service wants to hear nothing before';

CREATE UNLOGGED TABLE call_lease (
  connection text NOT NULL,
  holder uuid NOT NULL,
  held integer NOT NULL,
  wanted integer NOT NULL,
  waits_since timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (connection, holder)
) WITH (fillfactor = 50);
COMMENT ON TABLE call_lease IS 'calls under way by connection and worker; those of one that is silent count no more once they expire';
`,
};
