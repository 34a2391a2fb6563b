// Certainty: how sure a finding is, and why, in words. Pure functions of its record and of what the other records
// say about the same connection and RPC.
import {counted, known, listed} from './units.js';

const WORDS = {definite: 'Certain', likely: 'Likely', possible: 'Only possible'};

const WHY = {
  definite: 'the captured frames prove it, and nothing that the capture may lack could explain it',
  likely: 'the captured frames say so, but one unusual cause that they cannot rule out could explain it, such as a Call that the transport had sent twice, or a Reply lost at the very end',
  possible: 'frames that the capture lacks could explain it, so it is held against nobody',
};

const HIDDEN = {
  header_cut: 'the snap length cut its header', frames_missing: 'frames of it are missing', call_missing: 'its Call is missing', capture_ended: 'the capture ended before its Reply',
  reply_unclear: 'it is not clear which message is its Reply', in_parts: 'its Reply may have come in parts that are not understood',
};

// {word, why}: "Certain", "the captured frames prove it ...".
export function certainty_of(finding, model) {
  const {record, rpc} = finding;
  const certainty = known(WORDS, record.certainty) ? record.certainty : 'definite';
  const connection = model.connections.get(record.conn);
  const here = certainty === 'definite' ? missing_nowhere(connection) : listed(lacking(connection, rpc));
  return {word: WORDS[certainty], why: WHY[certainty] + (here === '' ? '' : `; here, ${here}`)};
}

function gaps_of(connection) {
  return ['client', 'server', 'a', 'b'].reduce((sum, end) => sum + (connection?.[`${end}_gaps`] ?? 0), 0);
}

// What the sequence numbers of all its packets show.
function missing_nowhere(connection) {
  return connection && connection.pairing !== 'one_sided' && gaps_of(connection) === 0 ? 'no sequence number of the connection is missing between its first and its last captured packet' : '';
}

// What the capture is known to lack of a connection and an RPC.
function lacking(connection, rpc) {
  const gaps = gaps_of(connection);
  return [
    connection?.setup_seen === false && 'the setup of the connection was not captured',
    gaps > 0 && `there ${gaps === 1 ? 'is' : 'are'} ${counted(gaps, 'gap')} in what was captured of the connection`,
    connection?.pairing === 'one_sided' && 'only one direction was captured',
    rpc?.record.complete === false && `of the RPC, ${known(HIDDEN, rpc.record.incomplete_because) ?? 'something may be missing'}`,
  ].filter(Boolean);
}

const ALSO = {error: 'a requirement (MUST) was violated', warning: 'a recommendation (SHOULD), or what the documents imply, was departed from', note: 'advice: no rule was violated'};

// "Error: a requirement (MUST) was violated".
export function severity_words(severity) {
  return known(ALSO, severity) ?? '';
}

// How often a rule was kept and not kept, by what its findings weigh: known ones are accepted.
export function tally_words(tally, weight) {
  const not = known({error: 'broken', warning: 'departed from', note: 'worth a note', accepted: 'broken, as is known and accepted'}, weight) ?? 'broken';
  return `Checked ${counted(tally.checked, 'time')}: kept ${times(tally.kept)}, ${not} ${times(tally.broken)}` +
    `${tally.undecided > 0 ? `, undecided ${times(tally.undecided)} since the capture does not show enough` : ''}.`;
}

function times(count) {
  return count === 0 ? 'never' : count === 1 ? 'once' : counted(count, 'time');
}

// What a rule that was broken weighs here: 'error', 'warning', 'note'; 'accepted' where all of it is known; null where
// nothing of it is shown, since it was not asked for.
export function weights_of(model) {
  const weights = new Map();
  for (const {record} of model.known) {
    weights.set(record.rule, 'accepted');
  }
  for (const {record} of [...model.findings].reverse()) { // the worst come first
    weights.set(record.rule, record.severity);
  }
  return weights;
}
