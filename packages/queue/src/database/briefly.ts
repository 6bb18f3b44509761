/**
 * Begins a transaction that changes what others wait for. A process that stands still in the middle of it (SIGSTOP, a machine that is
 * paused) would keep it locked: after 10 seconds the server undoes it and closes the connection.
 */
export const briefly = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'";
