// What the verdict was configured by, beside the captures, with the digest of each file: in words.
import {known, printable} from './units.js';

const ROLES = {configuration: 'configured by', baseline: 'baseline', profile: 'profile'};

// "configured by steertag.toml (SHA-256 9f86d081...)", one for each file.
export function policy_lines({stream}) {
  return (Array.isArray(stream.configured_by) ? stream.configured_by : []).map(({file, kind, sha256}) =>
    `${known(ROLES, kind) ?? 'configured by'} ${printable(file)} (SHA-256 ${printable(sha256)})`);
}
