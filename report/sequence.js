// Sequence: how the sequence numbers of one end of a connection went on, as a record says it: what was sent, acknowledged,
// sent again, lost and refused. Pure functions; times are microseconds since the first frame.
import {counted} from './units.js';

// In the order in which they are drawn, one over the other.
const KINDS = [
  {what: 'acknowledged', name: 'acknowledged'},
  {what: 'sent', name: 'sent'},
  {what: 'read_response', name: 'Read Response'},
  {what: 'late', name: 'seen late, behind what follows', one: 'packet seen late', many: 'packets seen late'},
  {what: 'sent_again', name: 'sent again', one: 'packet sent again', many: 'packets sent again'},
  {what: 'nak', name: 'NAK', one: 'NAK'},
  {what: 'rnr_nak', name: 'RNR NAK', one: 'RNR NAK'},
  {what: 'acknowledgment_lost', name: 'acknowledgment lost', one: 'acknowledgment lost', many: 'acknowledgments lost'},
  {what: 'lost', name: 'lost', one: 'loss', many: 'losses'},
];
const PSNS = 2 ** 24;

// {from, to, first, tracks: [{what, name, all, us, at, packets}]}; kinds of later versions are left out.
export function sequence_of(record, begin) {
  const tracks = KINDS.flatMap((kind) => {
    const told = (record.tracks ?? []).find(({what}) => what === kind.what);
    const count = Math.min(told?.us?.length ?? 0, told?.at?.length ?? 0);
    return count === 0 ? [] : [{...kind, all: told.all, us: told.us.slice(0, count).map((us) => begin + us), at: told.at.slice(0, count), packets: told.packets ?? []}];
  });
  return {from: record.from, to: record.to, first: record.first, tracks};
}

export function went_wrong(sequence) {
  return sequence.tracks.filter(({one}) => one !== undefined);
}

// From where to where numbers go in a window, with a little room: [least, most].
export function bounds_of({tracks}, from, to) {
  let [least, most] = [Infinity, -Infinity];
  const take = (at) => {
    least = Math.min(least, at);
    most = Math.max(most, at);
  };
  for (const {us, at, packets} of tracks) {
    for (let i = 0; i < us.length; ++i) {
      if (us[i] >= from && us[i] <= to) {
        take(at[i]);
        take(at[i] + (packets[i] ?? 1) - 1);
      }
    }
  }
  if (least === Infinity) {
    tracks.forEach((track) => neighbours(track, from, to).forEach(take));
  }
  if (least === Infinity) {
    return [0, 1];
  }
  const room = Math.max((most - least) * 0.06, 1);
  return [least - room, most + room];
}

// Those that come next to a window in which a track has no point.
function neighbours({us, at}, from, to) {
  let [before, behind] = [-1, -1];
  for (let i = 0; i < us.length; ++i) {
    if (us[i] < from) {
      before = before < 0 || us[i] >= us[before] ? i : before;
    } else if (us[i] > to) {
      behind = behind < 0 || us[i] < us[behind] ? i : behind;
    }
  }
  return before < 0 || behind < 0 ? [] : [at[before], at[behind]];
}

// A number as it stands in packets, where that is known; else counted from the lowest. Of a TCP stream always that.
export function number_text({first}, at, tcp) {
  if (!Number.isInteger(at) || at < 0) {
    return '';
  }
  return String(tcp || first === undefined ? at : (first + at) % PSNS);
}

// "501 packets sent again, 3 NAKs, 4 losses".
export function sequence_words(sequence) {
  const words = went_wrong(sequence).map(({all, one, many}) => counted(all, one, many));
  return words.length > 0 ? words.join(', ') : 'nothing lost or sent again';
}
