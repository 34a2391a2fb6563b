// How the traffic fares, in words: whether it keeps the rules, and what the network and its ends suffer from. Pure.
import {time_lost, time_spent} from './model.js';
import {counted, duration, known, listed, percent, whole} from './units.js';

// How many findings of each severity there were, whatever of them is in the page.
export function severities(model) {
  const counts = {error: 0, warning: 0, note: 0};
  for (const {record} of model.findings) {
    counts[record.severity] = (counts[record.severity] ?? 0) + 1;
  }
  return model.summary.findings ?? counts;
}

// Whether a rule was put to the test, and the capture shows how that ended.
export function decided(tally) {
  return tally.kept + tally.broken > 0;
}

// Whether it keeps the rules: {level, word, sentence}.
export function verdict(model) {
  const counts = severities(model);
  const judged = [...model.tallies.values()];
  const basis = judged.length ? ` ${whole(judged.filter(decided).length)} of ${counted(judged.length, 'rule')} could be judged here.` : '';
  const firm = model.findings.filter(({record}) => record.severity === 'error' && record.certainty !== 'possible');
  const [refused] = model.incidents.filter(({kind}) => kind === 'not_connected');
  if (model.connections.size === 0 && refused) {
    return {level: 'error', word: 'Not connected', sentence: `${refused.text}.`};
  }
  if (model.connections.size === 0) {
    return {level: 'unknown', word: 'Nothing to judge.', sentence: 'No message of RPC-over-RDMA was recognised in this capture.'};
  }
  if (counts.error > 0 && firm.length === 0 && model.left_out.findings === 0) {
    return {level: 'warning', word: 'Perhaps not conforming', sentence: `${counted(counts.error, 'violation')} that frames missing from the capture could explain.${basis}`};
  }
  if (counts.error > 0) {
    return {level: 'error', word: 'Not conforming', sentence: `${counted(counts.error, 'violation')} of what RPC-over-RDMA requires, ${by_whom(firm)}.${basis}`};
  }
  if (counts.warning > 0) {
    const sure = model.left_out.findings > 0 || model.findings.some(({record}) => record.severity === 'warning' && record.certainty !== 'possible');
    return {level: 'warning', word: 'Mostly conforming', sentence: `No requirement was found violated; ${counted(counts.warning, 'departure')} from what is recommended or implied${sure ? '' : ', which frames missing from the capture could explain'}.${basis}`};
  }
  const noted = counts.note > 0 ? ` ${counted(counts.note, 'note')} below ${counts.note === 1 ? 'is' : 'are'} advice, not ${counts.note === 1 ? 'a violation' : 'violations'}.` : '';
  const accepted = model.known.length > 0 ? ' What is known and accepted is not counted.' : '';
  return {level: 'good', word: 'Conforming', sentence: `No requirement was found violated.${accepted}${noted}${basis}`};
}

// What notes say that a network or its ends suffer from; the others say where time went in good health.
const TROUBLES = {
  outage: 'cut off for a time', loss: 'losing packets', unanswered: 'leaving Calls unanswered', retries: 'sending Calls again', reconnect: 'reconnecting',
  congestion: 'congested', not_ready: 'short of receive buffers', credits: 'short of credits', failures: 'failing operations',
};

// The same of incidents: those that took RPCs or connections, and the others.
const GRAVE = {hang: 'leaving Calls unanswered', connection_lost: 'losing connections', not_connected: 'late to connect', session: 'in trouble with a session'};
const HAPPENED = {
  loss: 'losing packets', congestion: 'congested', receiver_not_ready: 'short of receive buffers', credits: 'short of credits', transport_error: 'failing operations',
  nfs_error: 'failing operations', slow_server: 'slow at the server', slow_client: 'slow at the client', slow_network: 'slow on the way',
};

// How it fares otherwise: {level, word, sentence}; null where nothing is wrong.
function troubles(model) {
  const found = [];
  for (const note of model.notes) {
    if (TROUBLES[note.kind] && !found.some(({kind}) => kind === note.kind)) {
      found.push(note);
    }
  }
  found.sort((a, b) => Object.keys(TROUBLES).indexOf(a.kind) - Object.keys(TROUBLES).indexOf(b.kind));
  const grave = model.incidents.map(({kind}) => known(GRAVE, kind)).filter(Boolean);
  const happened = model.incidents.map(({kind, certainty}) => ({word: known(HAPPENED, kind), possible: certainty === 'possible' && !(kind === 'loss' && lost_some(model))})).filter(({word}) => word);
  const sure = new Set([...grave, ...happened.filter(({possible}) => !possible).map(({word}) => word), ...found.map(({kind}) => TROUBLES[kind])]);
  const words = [...sure, ...new Set(happened.filter(({word}) => !sure.has(word)).map(({word}) => `possibly ${word}`))];
  if (words.length === 0) {
    return null;
  }
  return {level: grave.length > 0 ? 'error' : 'warning', word: listed(words.slice(0, 2)), sentence: [lost(model), waited(model), limited(model)].filter(Boolean).join(' ')};
}

// Whether something was lost for certain, whatever it cost.
function lost_some(model) {
  return [...model.losses.values()].some((losses) => losses.some(({record}) => record.packets > 0 && record.where !== 'receiver'));
}

// "722 packets were sent again, 501 of them by the server."
function lost(model) {
  const all = [...model.loads.values()].reduce((sum, load) => sum + load.retransmitted, 0);
  if (all === 0) {
    return '';
  }
  const by = {client: 0, server: 0};
  for (const list of model.disturbances.values()) {
    for (const {record} of list) {
      by.client += record.retransmitted_by_client ?? 0;
      by.server += record.retransmitted_by_server ?? 0;
    }
  }
  const who = by.server >= by.client ? 'server' : 'client';
  const some = by[who] === all ? `, all by the ${who}` : by.client + by.server === all ? `, ${whole(by[who])} of them by the ${who}` : '';
  return `${counted(all, 'packet')} ${all === 1 ? 'was' : 'were'} sent again${some}.`;
}

// "All credits were in use for 79.8 ms."
function limited(model) {
  const us = [...model.loads.values()].reduce((sum, load) => sum + (load.at_credit_limit_us ?? 0), 0);
  return us > 0 && model.notes.some(({kind}) => kind === 'credits') ? `All credits were in use for ${duration(us)}.` : '';
}

// "14 of 172 RPCs waited for lost packets", or for a receive buffer, where nothing was lost but refused, ", 22.8 s in all, 98 % of the time of all RPCs; the NFSv3 READ in frame 975 waited longest: 4.60 s."
function waited(model) {
  const waiting = model.rpcs.filter(({record}) => record.recovery_us > 0).sort((a, b) => b.record.recovery_us - a.record.recovery_us);
  const [longest, ...others] = waiting;
  if (!longest) {
    return '';
  }
  const what = waiting.every(({refused}) => refused) ? 'a receive buffer' : waiting.some(({refused}) => refused) ? 'packets that were lost or refused' : 'lost packets';
  const who = `${longest.name} in frame ${longest.frame}`;
  const time = duration(longest.record.recovery_us);
  const all_here = model.left_out.rpcs === 0;
  if (others.length === 0 && all_here) {
    return `The ${who} waited for ${what}: ${time}.`;
  }
  const sum = (time) => model.stats.reduce((total, stat) => total + time(stat), 0);
  const of = all_here ? `${whole(others.length + 1)} of ${counted(model.summary.rpcs ?? model.rpcs.length, 'RPC')}` : 'RPCs';
  return `${of} waited for ${what}, ${duration(sum(time_lost))} in all, ${percent(sum(time_lost), sum(time_spent))} of the time of all RPCs; the ${who} waited longest: ${time}.`;
}

// Both in one answer.
export function health(model) {
  const judged = verdict(model);
  const troubled = troubles(model);
  if (!troubled || judged.level === 'unknown' || model.connections.size === 0) {
    return {...judged, word: judged.word.endsWith('.') ? judged.word : `${judged.word}.`};
  }
  if (troubled.level === 'error') { // what happened comes first
    return {level: 'error', word: `${troubled.word[0].toUpperCase()}${troubled.word.slice(1)}; ${judged.word[0].toLowerCase()}${judged.word.slice(1).replace(/\.$/, '')}.`,
      sentence: `${troubled.sentence} ${judged.sentence}`.trim()};
  }
  const good = judged.level === 'good';
  return {level: good ? 'warning' : judged.level, word: `${judged.word.replace(/\.$/, '')}${good ? ', but' : '; also'} ${troubled.word}.`,
    sentence: good ? `${troubled.sentence} ${judged.sentence}` : `${judged.sentence} ${troubled.sentence}`};
}

function by_whom(findings) {
  const peers = [...new Set(findings.map(({record}) => record.by && `the ${record.blame === 'requester' ? 'Requester' : 'Responder'} ${record.by}`).filter(Boolean))];
  return peers.length === 0 ? 'by either end' : peers.length > 2 ? `by ${peers.length} peers` : `by ${listed(peers)}`;
}
