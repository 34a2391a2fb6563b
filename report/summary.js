// The first screen: what is this, is it healthy, what stands out, in words.
import {certainty_of} from './certainty.js';
import {datum, el, link} from './dom.js';
import {health} from './health.js';
import {card_of, kind_text, meaning_of, untold_notes} from './incidents.js';
import {to_finding, to_rpc, to_view} from './links.js';
import {ends_of, time_spent} from './model.js';
import {grouped} from './places.js';
import {policy_lines} from './policies.js';
import {explained} from './terms.js';
import {bytes, counted, date, duration, file_name, known, listed, percent, printable, sentence, whole} from './units.js';

const TRANSPORTS = {roce1: 'RoCEv1', roce2: 'RoCEv2', infiniband: 'InfiniBand', iwarp: 'iWARP'};
const MOST_ITEMS = 6;

export function transport_name(transport) {
  return TRANSPORTS[transport] ?? transport ?? 'an unknown transport';
}

// "NFSv3 and NFSACLv3 between ...": what the capture shows, in one or two sentences.
export function what_it_is(model) {
  const connections = [...model.connections.values()];
  if (connections.length === 0) {
    return `No RPC-over-RDMA was found in ${counted(model.summary.frames ?? 0, 'frame')}.${instead(model.summary.seen ?? [])}`;
  }
  const different = (values) => [...new Set(values)];
  const protocols = different(model.stats.map((stat) => stat.protocol).filter(Boolean));
  const clients = different(connections.map((one) => ends_of(one).client));
  const servers = different(connections.map((one) => ends_of(one).server));
  const versions = different(connections.map((one) => one.version).filter(Boolean)).sort();
  const named = (what, names) => (names.length === 1 ? `${what} ${names[0]}` : counted(names.length, what));
  const carried = protocols.length ? listed(protocols.slice(0, 4)) : 'RPC';
  return `${carried} from ${named('client', clients)} to ${named('server', servers)} over ` +
    `${listed(different(connections.map((one) => transport_name(one.transport))))}, ` +
    `${counted(connections.length, 'connection')} of RPC-over-RDMA${versions.length ? ` version ${listed(versions)}` : ''}.`;
}

const OTHERS = {
  nfs_tcp: 'NFS over TCP', nvme_tcp: 'NVMe over TCP', smb_tcp: 'SMB over TCP', roce2: 'what looks like RoCEv2 on another port (--udp-port)', tcp: 'TCP',
  other: 'other protocols', malformed: 'headers that could not be read', cut: 'headers that the snap length cut',
};

// " There are 2 RoCEv2 connections on port 20049, and 5 frames of TCP."
function instead(seen) {
  const words = seen.slice(0, 6).map(({protocol, transport, port, connections, frames}) => (connections !== undefined
    ? `${counted(connections, 'connection')} of ${transport_name(transport)}${port !== undefined ? ` on port ${port}` : ''} with something else`
    : `${counted(frames ?? 0, 'frame')} of ${OTHERS[protocol] ?? 'something else'}`));
  return words.length > 0 ? ` There is instead: ${listed(words)}.` : '';
}

function busiest(model) {
  const all = model.stats.reduce((sum, stat) => sum + time_spent(stat), 0);
  const [first] = [...model.stats].sort((a, b) => time_spent(b) - time_spent(a));
  const answered = model.stats.some((stat) => stat.unanswered > 0) ? 'the time of answered RPCs' : 'all RPC time';
  return first && all > 0 ? `${percent(time_spent(first), all)} of ${answered} went to ${stat_name(first)}.` : '';
}

export function stat_name(stat) {
  return [stat.protocol, stat.op].filter(Boolean).join(' ') || (stat.rest ? 'all others' : 'unknown procedure');
}

// What stands out, the worst first: [{level, text, fragment}]. Incidents come first; violations are listed one by one.
export function standing_out(model) {
  const items = model.incidents.filter(({kind}) => kind !== 'violation').map((incident) => ({level: 'incident', word: kind_text(incident), ...card_of(incident, model)}));
  const rules_of = (some) => new Set(some.flatMap((incident) => incident.rules ?? []));
  const apart = rules_of(model.incidents.filter(({kind}) => kind === 'violation'));
  const parts = new Set([...rules_of(model.incidents)].filter((rule) => !apart.has(rule)));
  const rules = new Map();
  for (const finding of model.findings) {
    if (finding.record.severity !== 'note' && !parts.has(finding.record.rule)) {
      rules.has(finding.record.rule) ? ++rules.get(finding.record.rule).more : rules.set(finding.record.rule, {finding, more: 0});
    }
  }
  for (const {finding, more} of rules.values()) {
    const {record} = finding;
    const why = model.rules.get(record.rule)?.why;
    const sure = certainty_of(finding, model);
    items.push({level: record.severity, sure: `${sure.word}: ${sure.why}`, text: `${accused(record)}${record.message}${more ? `, and ${whole(more)} more of ${record.rule}` : ''}`,
      why: [finding.rpc && `${finding.rpc.name}, XID ${finding.rpc.xid}, connection ${record.conn}`, why].filter(Boolean).join('. '),
      where: `${record.rule}, frame ${record.frame}`, fragment: to_finding(record)});
  }
  for (const note of untold_notes(model)) {
    const rpc = note.frame === undefined ? null : model.with_frame(note.frame);
    items.push({level: 'slow', text: note.message, why: meaning_of(note.kind, note.conn, model), where: rpc ? `Look at the RPC in frame ${note.frame}` : 'Look at the timeline',
      fragment: rpc ? to_rpc(rpc, model) : to_view('time')});
  }
  const noted = grouped(model.findings.filter(({record}) => record.severity === 'note' && !parts.has(record.rule)), ({record}) => record.rule);
  for (const [rule, [{record}, ...more]] of noted) {
    items.push({level: 'note', text: `${record.message}${more.length > 0 ? `, and ${whole(more.length)} more of ${rule}` : ''}`, where: `${rule}, frame ${record.frame}`, fragment: to_finding(record)});
  }
  return items;
}

// "Responder 10.0.0.2: "
function accused(record) {
  const role = known({requester: 'Requester', responder: 'Responder'}, record.blame);
  return role && record.by ? `${role} ${record.by}: ` : '';
}

const LEVELS = {error: 'Error', warning: 'Warning', note: 'Note', slow: 'Time'};

export function badge(level, word) {
  return el('span', {class: `badge ${level}`}, word ?? LEVELS[level] ?? level);
}

export function list_of(items, any) {
  if (items.length === 0) {
    return el('p', {}, any ? 'Nothing: no violation, no loss, no wait worth a remark.' : 'There is nothing here that could stand out.');
  }
  const entry = (item) => el('li', {}, badge(item.level, item.word), ' ', el('div', {}, explained(sentence(item.text)), '. ', item.where && link(item.fragment, item.where, {class: 'where'}),
    item.also && [item.where && ' · ', link(item.also.fragment, item.also.text, {class: 'where'})],
    item.sure && el('p', {class: 'small certainty'}, item.sure, '.'), item.why && el('p', {class: 'small muted'}, explained(sentence(item.why)), '.')));
  const more = items.slice(MOST_ITEMS);
  return [el('ul', {class: 'standouts'}, items.slice(0, MOST_ITEMS).map(entry)),
    more.length > 0 && el('details', {}, el('summary', {}, `${counted(more.length, 'thing')} more`), el('ul', {class: 'standouts'}, more.slice(0, 200).map(entry)))];
}

// Of how many RPCs the Reply may be missing from the capture: of those in the page, and of several attempts the last.
function lacking_replies(model) {
  return model.rpcs.filter((rpc) => rpc.lacking && !rpc.next).length;
}

// The end of which the capture holds no message: 'server', where every RPC lacks its Reply, which may have been sent;
// 'client', where every RPC lacks its Call; else null.
function out_of_sight({rpcs}) {
  if (rpcs.length === 0) {
    return null;
  }
  return rpcs.every(({lacking}) => lacking) ? 'server' : rpcs.every(({record}) => record.status === 'no_call') ? 'client' : null;
}

// Of all RPCs and connections, the same rows of every capture: [{name, value, text(value)}]; `value` is undefined where the
// capture cannot tell.
export function totals(model) {
  const sum = (key) => model.stats.reduce((total, stat) => total + (stat[key] ?? 0), 0);
  const load = (key) => [...model.loads.values()].reduce((total, one) => total + (one[key] ?? 0), 0);
  const times = model.stats.map((stat) => stat.delivered_us?.max).filter((most) => most !== undefined);
  const hidden = out_of_sight(model);
  const lacking = lacking_replies(model);
  const seen = (end, value) => (hidden === end ? undefined : value);
  return [
    {name: 'RPCs', value: model.summary.rpcs ?? sum('count'), text: whole},
    {name: 'failed', value: seen('server', sum('failed')), text: whole},
    {name: 'unanswered', value: lacking > 0 && lacking >= sum('unanswered') ? undefined : seen('server', sum('unanswered')), text: whole},
    {name: 'longest', value: times.length > 0 ? Math.max(...times) : undefined, text: duration},
    {name: 'sent again', value: load('retransmitted'), text: (packets) => counted(packets, 'packet')},
    {name: 'at the credit limit', value: load('at_credit_limit_us'), text: duration},
    {name: 'arguments of Calls', value: seen('client', sum('args_bytes')), text: bytes},
    {name: 'results of Replies', value: seen('server', sum('results_bytes')), text: bytes},
  ];
}

function figures(model) {
  const retries = model.stats.reduce((total, {retries: some}) => total + (some ?? 0), 0);
  const hints = {RPCs: retries > 0 && `${counted(retries, 'Call')} sent again`, failed: failures(model), unanswered: waiting_longest(model), 'results of Replies': unwritten(model)};
  return el('dl', {class: 'figures'}, totals(model).map(({name, value, text}) => el('div', {}, el('dt', {}, explained(name)), el('dd', {}, datum(value, text(value ?? 0))),
    hints[name] && el('dd', {class: 'hint'}, hints[name]))));
}

// "the longest waited 35.0 s; of 2 the Reply may be missing from the capture": of those in the page.
function waiting_longest(model) {
  const earlier = new Map(model.rpcs.filter(({next}) => next).map((rpc) => [rpc.next, rpc]));
  const begin = (rpc) => (earlier.has(rpc) ? begin(earlier.get(rpc)) : rpc.us);
  const longest = model.rpcs.reduce((most, rpc) => (rpc.unanswered && !rpc.next ? Math.max(most, rpc.end - begin(rpc)) : most), 0);
  const lacking = lacking_replies(model);
  return [longest > 0 && `the longest waited ${duration(longest)}`, lacking > 0 && `of ${whole(lacking)} the Reply may be missing from the capture`].filter(Boolean).join('; ');
}

// "20 NFS3ERR_NOENT, 8 NFS3ERR_STALE": with what Replies said so, where all of them are in the page. Of a Call that was
// sent several times the last attempt counts, as in the table of operations.
function failures(model) {
  const counts = new Map();
  const repeated = new Set(model.rpcs.map(({repeats}) => repeats));
  for (const {failure, call} of model.left_out.rpcs > 0 ? [] : model.rpcs) {
    if (failure !== null && !repeated.has(call)) {
      counts.set(failure, (counts.get(failure) ?? 0) + 1);
    }
  }
  const first = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 2).map(([name, count]) => `${whole(count)} ${name}`);
  const answers = model.rpcs.every(({record}) => record.status !== 'transport_error');
  return first.length === 0 ? null : `${first.join(', ')}${counts.size > 2 ? ` and ${counted(counts.size - 2, 'other status', 'other statuses')}` : ''}${answers ? ': the server’s answers, no faults of the transport' : ''}`;
}

// Bytes that Replies claim, and that were never written.
function unwritten(model) {
  const lacking = model.rpcs.reduce((sum, rpc) => sum + rpc.unwritten, 0);
  return lacking === 0 ? null : el('strong', {class: 'wrong'}, `${bytes(lacking)} of these ${lacking === 1 ? 'was' : 'were'} never written`);
}

function cautions(model) {
  const {summary, report} = model;
  const said = [];
  if (summary.cut) {
    said.push(`The capture was ${summary.cut === 'interrupted' ? 'interrupted' : 'cut off'}: this is what was read of it.`);
  }
  if (summary.damaged) {
    said.push('The capture is damaged: what lies behind the damage was not read.');
  }
  if (summary.lost > 0) {
    said.push(`${counted(summary.lost, 'packet')} known to be missing from the capture: what they could explain is held against nobody.`);
  }
  const {rpcs, findings} = model.left_out;
  if (rpcs > 0) {
    said.push(`This page holds ${whole(model.rpcs.length)} of ${whole(summary.rpcs)} RPCs: the slowest, those that failed or have findings, and an even sample of the others. Tables of operations, totals and rules count all of them.`);
  }
  if (model.known.length > 0) {
    said.push(`${counted(model.known.length, 'finding')} ${model.known.length === 1 ? 'is' : 'are'} known and accepted, and not counted here.`);
  }
  for (const {rule, at_most, found} of model.exceeded) {
    said.push(`More of ${rule} than is accepted: ${whole(found)}, of ${whole(at_most)} at most.`);
  }
  if (findings > 0) {
    said.push(`It holds ${whole(report.findings_shown)} of ${whole(report.findings)} findings, the worst.`);
  }
  return said.length > 0 && el('div', {class: 'caution', role: 'note'}, said.map((text) => el('p', {}, text)));
}

export function title_of(model) {
  const names = model.report.files ?? [...new Set(model.findings.map(({record}) => record.file))];
  return names.length === 0 ? '' : `${printable(file_name(names[0]))}${names.length > 1 ? ` and ${counted(names.length - 1, 'other')}` : ''}`;
}

// Where the captures lie: on demand.
function files_view(model) {
  const files = model.report.files ?? [];
  return files.some((name) => file_name(name) !== name) || files.length > 1
    ? el('details', {class: 'paths small'}, el('summary', {}, files.length > 1 ? `${counted(files.length, 'file')}, with their paths` : 'Path of the file'), el('ul', {}, files.slice(0, 500).map((name) => el('li', {class: 'mono'}, printable(name)))))
    : null;
}

// What the verdict rests on beside the captures: in sight, since it may hide what was found.
function policies_view(model) {
  const lines = policy_lines(model);
  return lines.length > 0 && el('ul', {class: 'policies small muted'}, lines.map((line) => el('li', {}, line)));
}

// "306 frames · 4.71 s · 2026-11-21 21:57:15 UTC".
export function extent_text(model) {
  return [counted(model.summary.frames ?? 0, 'frame'), model.end > 0 && duration(model.end), date(model.begin)].filter(Boolean).join(' · ');
}

export function summary_view(model) {
  const answer = health(model);
  return [
    el('p', {class: 'subtitle'}, el('strong', {}, title_of(model)), ' · ', extent_text(model)),
    files_view(model),
    policies_view(model),
    cautions(model),
    el('div', {class: 'answers'},
      el('section', {class: 'answer'}, el('h2', {}, 'What is this?'), el('p', {}, explained(what_it_is(model)), ' ', busiest(model))),
      el('section', {class: `answer health ${answer.level}`}, el('h2', {}, 'Is it healthy?'),
        el('p', {}, el('strong', {class: 'word'}, answer.word), ' ', explained(answer.sentence))),
      el('section', {class: 'answer wide'}, el('h2', {}, 'What stands out?'), list_of(standing_out(model), model.connections.size > 0))),
    figures(model),
  ];
}
