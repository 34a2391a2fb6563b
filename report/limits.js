// Limits: what counts on a connection by its setup and its messages, in words: how long Sends may be, who
// takes Send With Invalidate, and what has set that. Pure functions of its record.
import {bytes} from './units.js';

const ENDS = [['client', 'server'], ['a', 'b']];

function set_by({by, frame, certain}) {
  const words = by === 'private_data' ? 'private data' : by;
  return `${words}${frame === undefined ? '' : `, frame ${frame}`}${certain === false ? '; may have changed since' : ''}`;
}

// ["at most 4 KiB a Send to the server (XCHAR_RBSIZ, frame 18)", ...].
export function limits_of({inline_thresholds = {}, remote_invalidation = {}} = {}) {
  const words = [];
  for (const [one, other] of ENDS) {
    for (const [from, to] of [[one, other], [other, one]]) {
      const limit = inline_thresholds[from];
      if (limit) {
        words.push(`at most ${bytes(limit.bytes)} a Send to ${from.length > 1 ? `the ${to}` : to} (${set_by(limit)})`);
      }
    }
  }
  for (const end of ENDS.flat()) {
    const takes = remote_invalidation[end];
    if (takes?.accepted) {
      words.push(`${end.length > 1 ? `the ${end}` : end} takes Send With Invalidate (${set_by(takes)})`);
    }
  }
  return words;
}
