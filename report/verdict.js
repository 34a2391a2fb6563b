// The verdict: what was found, by rule and connection, with why it matters; and what was kept, and
// what never applied.
import {datum, el, link, replace} from './dom.js';
import {to_finding, to_frame, to_rpc} from './links.js';
import {badge, ends_of} from './summary.js';
import {Table} from './table.js';
import {counted, offset, printable, whole} from './units.js';

const MOST_FINDINGS = 20; // of a rule on a connection, at first

function grouped(list, key) {
  const groups = new Map();
  for (const one of list) {
    const value = key(one);
    groups.has(value) ? groups.get(value).push(one) : groups.set(value, [one]);
  }
  return groups;
}

function source_text(source) {
  return source ? `${source.document} §${source.section}` : '';
}

// The lines of a message begin far to the right, below its columns: they are drawn nearer.
const FAR = 12;
function dedented(text) {
  const lines = String(text).split('\n').map(printable);
  const indent = (line) => line.length - line.trimStart().length;
  const least = Math.min(...lines.filter((line) => line.trim() !== '' && indent(line) >= FAR).map(indent));
  return lines.map((line) => (indent(line) >= FAR ? `    ${line.slice(least)}` : line.trimStart())).join('\n').trimEnd();
}

// The bytes of the header, as far as the record has them.
function excerpt(record) {
  const lines = [];
  if (record.offset !== undefined) {
    lines.push(`bytes ${record.offset} to ${record.offset + Math.max(record.length, 1) - 1} of the message`);
  }
  const {header, context} = record.excerpt ?? {};
  return [lines.length > 0 && el('p', {class: 'small'}, lines.join(', ')), header && el('pre', {class: 'excerpt'}, dedented(header)),
    context && context !== header && el('details', {}, el('summary', {}, 'What belongs to it'), el('pre', {class: 'excerpt'}, dedented(context)))];
}

function frames_of(record) {
  const related = record.related ?? [];
  const frames = [record.frame, ...related];
  return el('p', {class: 'frames small'}, 'Frames ', frames.map((frame) => [link(to_frame(frame), String(frame), {class: 'chip'}), ' ']),
    el('span', {class: 'muted'}, 'Wireshark: '), el('code', {}, `frame.number in {${[...new Set(frames)].sort((a, b) => a - b).join(', ')}}`));
}

function finding_item(finding, model) {
  const {record} = finding;
  const about = [
    record.certainty !== 'definite' && record.certainty,
    record.by && `${record.blame === 'requester' ? 'Requester' : 'Responder'} ${record.by}`,
    record.op,
    record.count > 1 && counted(record.count, 'time'),
    `at ${offset(finding.us)} s`,
  ].filter(Boolean);
  return el('li', {id: finding.first ? to_finding(record) : null, class: 'finding', tabindex: -1},
    el('p', {}, el('a', {fragment: to_finding(record), class: 'self'}, `Frame ${record.frame}`), ': ', printable(record.message)),
    el('p', {class: 'small muted'}, about.join(' · '), finding.rpc && [' · ', link(to_rpc(finding.rpc, model), `RPC ${finding.rpc.xid} ${finding.rpc.name}`)]),
    excerpt(record), frames_of(record));
}

function connection_name(model, conn) {
  const connection = model.connections.get(conn);
  if (!connection) {
    return `Connection ${conn}`;
  }
  const {client, server, known} = ends_of(connection);
  return `Connection ${conn}: ${client} ${known ? '→' : '↔'} ${server}`;
}

// A rule that was found broken on some connections.
function rule_card(rule, findings, model) {
  const record = model.rules.get(rule) ?? {};
  const tally = model.tallies.get(rule);
  const worst = findings[0].record;
  const card = el('article', {class: `rule ${worst.severity}`, id: `rule-${rule}`, 'aria-labelledby': `heading-${rule}`},
    el('h3', {id: `heading-${rule}`}, badge(worst.severity), ' ', rule, record.name && el('span', {class: 'muted'}, ` ${record.name.replace(/-/g, ' ')}`)),
    el('p', {class: 'requirement'}, record.requirement ? `${record.requirement}. ` : '', el('span', {class: 'muted'}, source_text(record.source ?? worst.source))),
    record.why && el('p', {class: 'why'}, `Why it matters: ${record.why}.`),
    tally && el('p', {class: 'small muted'}, `Checked ${counted(tally.checked, 'time')}: kept ${whole(tally.kept)}, broken ${whole(tally.broken)}, undecided ${whole(tally.undecided)}.`));
  for (const [conn, some] of grouped(findings, (finding) => finding.record.conn)) {
    const list = el('ol', {class: 'findings'});
    const more = el('button', {type: 'button'}, '');
    const show = (count) => {
      replace(list, some.slice(0, count).map((finding) => finding_item(finding, model)));
      more.textContent = `Show all ${whole(some.length)}`;
      more.hidden = some.length <= count;
    };
    more.addEventListener('click', () => show(some.length));
    list.reveal = () => show(some.length);
    show(MOST_FINDINGS);
    card.append(el('h4', {}, `${connection_name(model, conn)} (${counted(some.length, 'finding')})`), list, more);
  }
  if (record.page) {
    card.append(el('details', {}, el('summary', {}, `${rule} explained, with traffic that violates it and traffic that complies`), el('pre', {class: 'page'}, record.page)));
  }
  return card;
}

export function findings_view(model) {
  const known = known_view(model);
  if (model.findings.length === 0) {
    return [el('p', {}, 'No rule was found broken, and nothing else was worth a note. What could be judged is listed under ', link('view=coverage', 'Rules'), '.'), known];
  }
  return [[...grouped(model.findings, (finding) => finding.record.rule)].map(([rule, some]) => rule_card(rule, some, model)), known];
}

// What is accepted, with the reason; and what of it was found no more.
function known_view(model) {
  const reasons = [...grouped(model.known, ({record}) => `${record.rule} ${record.fingerprint}`).values()];
  if (reasons.length + model.stale.length === 0) {
    return null;
  }
  const one = (some) => {
    const {record} = some[0];
    return el('li', {}, el('strong', {}, record.rule), ` ${printable(record.message)} (${counted(some.length, 'finding')}, first in frame ${record.frame}): `,
      printable(record.known_reason ?? 'no reason is given'));
  };
  return el('details', {class: 'known'}, el('summary', {}, `${counted(model.known.length, 'finding')} known and accepted`), el('ul', {}, reasons.slice(0, 200).map(one),
    model.stale.slice(0, 200).map((record) => el('li', {}, el('strong', {}, record.rule), ` accepted by ${printable(record.baseline)}, line ${record.line}, and found no more: `, printable(record.reason)))));
}

// Makes a finding visible, where its list shows only the first; returns its element.
export function reveal_finding(record) {
  const id = to_finding(record);
  if (!document.getElementById(id)) {
    for (const list of document.querySelectorAll('.findings')) {
      list.reveal?.();
    }
  }
  return document.getElementById(id);
}

export function coverage_view(model) {
  const tallies = [...model.tallies.values()];
  if (tallies.length === 0) {
    return el('p', {}, 'The records do not say what was checked.');
  }
  const judged = tallies.filter((tally) => tally.checked > 0);
  // What was found is weighed by profile and configuration; a rule that broke where nothing of it is shown, by itself.
  const worst = new Map();
  for (const {record} of model.findings) { // the worst come first
    if (!worst.has(record.rule)) {
      worst.set(record.rule, record.severity);
    }
  }
  const severe = (tally) => (worst.get(tally.rule) ?? model.rules.get(tally.rule)?.severity) !== 'note';
  const broken = judged.filter((tally) => tally.broken > 0 && severe(tally));
  const noted = judged.filter((tally) => tally.broken > 0 && !severe(tally));
  const open = judged.filter((tally) => tally.undecided > 0);
  const number = (key) => ({name: key, number: true, value: (tally) => tally[key], cell: (tally) => datum(tally[key], whole(tally[key]))});
  const rule_name = (tally) => (tally.broken > 0 ? el('a', {fragment: `rule-${tally.rule}`}, tally.rule) : tally.rule);
  const columns = [
    {name: 'rule', value: (tally) => tally.rule, cell: rule_name},
    {name: 'requirement', class: 'text', cell: (tally) => model.rules.get(tally.rule)?.requirement ?? ''},
    number('checked'), number('kept'), number('broken'), number('undecided'),
  ];
  const never = tallies.filter((tally) => tally.checked === 0);
  return [
    el('p', {}, `${whole(judged.length)} of ${counted(tallies.length, 'rule')} were judged: ${whole(judged.length - broken.length - noted.length)} kept, ${whole(broken.length)} broken`,
      noted.length > 0 ? `, ${whole(noted.length)} with no more than a note` : '',
      open.length > 0 ? `; ${whole(open.length)} of them could not be decided at least once, since the capture does not show enough` : '', '. ',
      `${whole(never.length)} never applied: nothing here put them to the test. Silence is not proof.`),
    new Table({caption: 'Rules that were judged', columns, rows: judged, page: 20, noun: 'rule', sort: 'broken'}).element,
    el('details', {}, el('summary', {}, `${counted(never.length, 'rule')} that never applied`),
      el('ul', {class: 'never'}, never.map((tally) => el('li', {}, el('strong', {}, tally.rule), ' ', model.rules.get(tally.rule)?.requirement ?? '')))),
  ];
}
