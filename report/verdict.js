// The verdict: what was found, by rule and connection, with why it matters; and what was kept, and
// what never applied.
import {certainty_of, severity_words, tally_words, weights_of} from './certainty.js';
import {datum, el, link, replace} from './dom.js';
import {decided} from './health.js';
import {to_finding, to_frame, to_rpc} from './links.js';
import {ends_of} from './model.js';
import {grouped} from './places.js';
import {blocks_of} from './rule_page.js';
import {badge} from './summary.js';
import {Table} from './table.js';
import {explained} from './terms.js';
import {counted, listed, offset, printable, sentence, whole} from './units.js';

const FULL_FINDINGS = 2; // of a rule, in sight
const MOST_FINDINGS = 20; // of the others, at first

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

// The bytes of the header, as far as the record has them; closed unless it is asked for.
function excerpt(record, open) {
  const lines = [];
  if (record.offset !== undefined) {
    lines.push(`bytes ${record.offset} to ${record.offset + Math.max(record.length, 1) - 1} of the message`);
  }
  const {header, context} = record.excerpt ?? {};
  const parts = [lines.length > 0 && el('p', {class: 'small'}, lines.join(', ')), header && el('p', {class: 'small muted'}, /^ *\d+ \+\d+ /m.test(header) ? 'The message, and its header: offset +length in bytes, field, value' : 'The message: frame, seconds, connection, direction, XID, credits, what it is; its segments as length@offset:handle'), header && el('pre', {class: 'excerpt', tabindex: 0}, dedented(header)),
    context && context !== header && el('details', {}, el('summary', {}, 'Messages that it rests on'), el('pre', {class: 'excerpt', tabindex: 0}, dedented(context)))];
  return parts.some(Boolean) && el('details', {class: 'small', open}, el('summary', {}, `Header in frame ${record.frame}`), parts);
}

function frames_of(record) {
  const related = record.related ?? [];
  const frames = [record.frame, ...related];
  const chip = (frame) => [link(to_frame(frame), String(frame), {class: 'chip'}), ' '];
  return el('p', {class: 'frames small'}, 'Found in frame ', chip(record.frame), related.length > 0 && [related.length > 1 ? 'and rests on frames ' : 'and rests on frame ', related.map(chip)],
    el('span', {class: 'muted'}, 'Wireshark: '), el('code', {}, `frame.number in {${[...new Set(frames)].sort((a, b) => a - b).join(', ')}}`));
}

function finding_item(finding, model, open) {
  const {record} = finding;
  const {word, why} = certainty_of(finding, model);
  const about = [
    record.conn !== undefined && connection_name(model, record.conn),
    record.by && `${record.blame === 'requester' ? 'Requester' : 'Responder'} ${record.by}`,
    record.op,
    record.count > 1 && counted(record.count, 'time'),
    `at ${offset(finding.us)} s`,
  ].filter(Boolean);
  return el('li', {id: finding.first ? to_finding(record) : null, class: 'finding', tabindex: -1},
    el('p', {}, el('a', {fragment: to_finding(record), class: 'self'}, `Frame ${record.frame}`), ': ', sentence(record.message)),
    el('p', {class: `small certainty ${record.certainty}`}, el('strong', {}, word), `: ${why}.`),
    el('p', {class: 'small muted'}, about.join(' · '), finding.rpc && [' · ', link(to_rpc(finding.rpc, model), `RPC ${finding.rpc.xid} ${finding.rpc.name}`)]),
    excerpt(record, open), frames_of(record));
}

function connection_name(model, conn) {
  const connection = model.connections.get(conn);
  if (!connection) {
    return conn === undefined ? 'No connection' : `Connection ${conn}`;
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
    el('p', {class: 'small muted'}, capital(severity_words(worst.severity)), '.'),
    el('p', {class: 'requirement'}, record.requirement ? explained(`${record.requirement}. `) : '', el('span', {class: 'muted'}, source_text(record.source ?? worst.source))),
    record.why && el('p', {class: 'why'}, explained(`Why it matters: ${record.why}.`)),
    tally && el('p', {class: 'small muted'}, tally_words(tally, worst.severity)));
  card.append(el('p', {class: 'small'}, where_found(findings, model)), ...lists_of(findings, model));
  if (record.page) {
    card.append(el('details', {class: 'page'}, el('summary', {}, `${rule} explained, with traffic that breaks it and traffic that keeps it`), blocks_of(record.page).map(page_block)));
  }
  return card;
}

// "40 findings, on 40 of 120 connections", or on which.
function where_found(findings, model) {
  const conns = [...new Set(findings.map(({record}) => record.conn))];
  const on = conns.length === 1 ? connection_name(model, conns[0]).replace(/^[CN]/, (letter) => letter.toLowerCase()) : `${whole(conns.length)} of ${counted(model.connections.size, 'connection')}`;
  return `${counted(findings.length, 'finding')}, on ${on}${findings.length > FULL_FINDINGS ? `. The first ${FULL_FINDINGS}:` : ':'}`;
}

// The first findings of a rule in full, the header of an error open; the others behind one line.
function lists_of(findings, model) {
  const open = findings[0].record.severity === 'error';
  const first = el('ol', {class: 'findings'}, findings.slice(0, FULL_FINDINGS).map((finding, i) => finding_item(finding, model, open && i === 0)));
  const others = findings.slice(FULL_FINDINGS);
  if (others.length === 0) {
    return [first];
  }
  const list = el('ol', {class: 'findings', start: FULL_FINDINGS + 1});
  const more = el('button', {type: 'button'}, '');
  const show = (count) => {
    replace(list, others.slice(0, count).map((finding) => finding_item(finding, model, false)));
    more.textContent = `Show all ${whole(others.length)}`;
    more.hidden = others.length <= count;
  };
  more.addEventListener('click', () => show(others.length));
  list.reveal = () => show(others.length);
  show(MOST_FINDINGS);
  return [first, el('details', {}, el('summary', {}, `${counted(others.length, 'finding')} more of ${findings[0].record.rule}`), list, more)];
}

// Of a rule's page, a heading, a paragraph, or a scenario with what is expected of it in words.
function page_block({heading, text, scenario, settings}) {
  if (heading) {
    return el('h4', {}, heading);
  }
  if (text) {
    return el('p', {}, text.split(/(`[^`]*`)/).map((part) => (part.startsWith('`') ? el('code', {}, part.replace(/`/g, '')) : part)));
  }
  return el('figure', {class: 'scenario'}, el('figcaption', {}, `Packets${settings ? ` (${settings})` : ''}`),
    el('pre', {}, scenario.map(({code, expects}) => [code, '\n', expects.map((words) => [el('span', {class: 'expects'}, `  ▲ ${words}`), '\n'])])));
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function findings_view(model) {
  const known = known_view(model);
  if (model.findings.length === 0) {
    const none = model.known.length > 0 ? 'Nothing was found but what is known and accepted. ' : model.connections.size === 0 ? 'There was nothing to judge. ' : 'No rule was found broken, and nothing else was worth a note. ';
    return [el('p', {}, none, 'What could be judged is listed under ', link('view=coverage', 'Rules'), '.'), known];
  }
  return [el('p', {class: 'lead'}, 'By rule, the worst first. Each says how sure it is, and in which frames it can be seen: a frame’s number leads to what the page knows of it.'),
    [...grouped(model.findings, (finding) => finding.record.rule)].map(([rule, some]) => rule_card(rule, some, model)), known];
}

// What is accepted, with the reason; and what of it was found no more.
function known_view(model) {
  const reasons = [...grouped(model.known, ({record}) => `${record.rule} ${record.fingerprint}`).values()];
  if (reasons.length + model.stale.length === 0) {
    return null;
  }
  const one = (some) => {
    const {record} = some[0];
    return el('li', {id: known_id(record), tabindex: -1}, el('strong', {}, record.rule), ` ${sentence(record.message)} (${counted(some.length, 'finding')}, first in frame ${record.frame}): `,
      printable(record.known_reason ?? 'no reason is given'));
  };
  return el('details', {class: 'known'}, el('summary', {}, `${counted(model.known.length, 'finding')} known and accepted`), el('ul', {}, reasons.slice(0, 200).map(one),
    model.stale.slice(0, 200).map((record) => el('li', {}, el('strong', {}, record.rule), ` accepted by ${printable(record.baseline)}, line ${record.line}, and found no more: `, printable(record.reason)))));
}

function known_id({rule, fingerprint}) {
  return `known-${rule}-${fingerprint}`;
}

// Makes a finding visible, where its list shows only the first, or where it is known; returns its element.
export function reveal_finding(record) {
  const known = document.getElementById(known_id(record));
  if (known && !document.getElementById(to_finding(record))) {
    known.closest('details').open = true;
    return known;
  }
  const id = to_finding(record);
  if (!document.getElementById(id)) {
    for (const list of document.querySelectorAll('.findings')) {
      list.reveal?.();
    }
  }
  const element = document.getElementById(id);
  for (let closed = element?.closest('details'); closed; closed = closed.parentElement.closest('details')) {
    closed.open = true;
  }
  return element;
}

const WEIGHTS = ['kept', 'undecided', 'accepted', 'note', 'warning', 'error'];

function weight_badge(weight) {
  return weight === 'kept' || weight === 'undecided' ? weight : weight === 'accepted' ? el('span', {class: 'badge'}, 'Accepted') : badge(weight);
}

export function coverage_view(model) {
  const tallies = [...model.tallies.values()];
  if (tallies.length === 0) {
    return el('p', {}, 'The records do not say what was checked.');
  }
  const judged = tallies.filter((tally) => tally.checked > 0);
  // What was found is weighed by profile and configuration; a rule that broke where nothing of it is shown, by itself.
  const weights = weights_of(model);
  const weight = (tally) => (tally.broken > 0 ? weights.get(tally.rule) ?? model.rules.get(tally.rule)?.severity ?? 'error' : tally.kept > 0 ? 'kept' : 'undecided');
  const of_weight = (...wanted) => judged.filter((tally) => wanted.includes(weight(tally))).length;
  const open = judged.filter((tally) => tally.undecided > 0);
  const number = (key) => ({name: key, number: true, value: (tally) => tally[key], cell: (tally) => datum(tally[key], whole(tally[key]))});
  const rule_name = (tally) => (weights.has(tally.rule) && weights.get(tally.rule) !== 'accepted' ? el('a', {fragment: `rule-${tally.rule}`}, tally.rule) : tally.rule);
  const columns = [
    {name: 'rule', value: (tally) => tally.rule, cell: rule_name},
    {name: 'requirement', class: 'text', cell: (tally) => model.rules.get(tally.rule)?.requirement ?? ''},
    number('checked'), number('kept'), {...number('broken'), name: 'not kept'}, number('undecided'),
    {name: 'result', value: (tally) => WEIGHTS.indexOf(weight(tally)), cell: (tally) => weight_badge(weight(tally))},
  ];
  const never = tallies.filter((tally) => tally.checked === 0);
  return [
    el('p', {}, `${whole(judged.filter(decided).length)} of ${counted(tallies.length, 'rule')} were judged: ${listed([`${whole(of_weight('kept'))} kept`, `${whole(of_weight('error'))} broken`,
      of_weight('warning') > 0 && `${whole(of_weight('warning'))} departed from (a warning)`, of_weight('note') > 0 && `${whole(of_weight('note'))} with no more than a note`,
      of_weight('accepted') > 0 && `${whole(of_weight('accepted'))} broken as is known and accepted`].filter(Boolean))}`,
      open.length > 0 ? `; ${whole(open.length)} could not be decided at least once${of_weight('undecided') > 0 ? `, ${whole(of_weight('undecided'))} of them never` : ''}, since the capture does not show enough` : '', '. ',
      `${whole(never.length)} never applied: nothing here put them to the test. Silence is not proof.`),
    new Table({caption: 'Rules that were judged', columns, rows: judged, page: 20, noun: 'rule', sort: 'result'}).element,
    el('details', {}, el('summary', {}, `${counted(never.length, 'rule')} that never applied`),
      el('ul', {class: 'never'}, never.map((tally) => el('li', {}, el('strong', {}, tally.rule), ' ', model.rules.get(tally.rule)?.requirement ?? '')))),
  ];
}
