// @ts-check
// runs.js — saved runs, kept by the store worker. Not built yet: every method says so.

import { RcmdpError } from './error.js';

const later = async () => { throw new RcmdpError('unavailable', 'Saved runs are not available here.'); };

export class SavedRuns {
  /** @param {() => import('./pool.js').Pool} _open @param {import('../rcmdp.js').Version} _version @param {(...args: any[]) => import('./run.js').Run} _solve */
  constructor(_open, _version, _solve) {}
  list = later;
  get = later;
  put = later;
  delete = later;
  exportAll = later;
  importAll = later;
  resume = later;
  estimate = later;
  onChange() { return () => {}; }
  /** @param {string} _id @param {Uint8Array} _bytes */
  checkpoint(_id, _bytes) {}
  close() {}
}
