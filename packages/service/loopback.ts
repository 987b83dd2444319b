/**
 * Loopback only: nothing of a home is reachable from another machine. By itself, so that whoever only looks for a service
 * loads nothing of what it listens with.
 */
export const LOOPBACK_ADDRESS = '127.0.0.1';
