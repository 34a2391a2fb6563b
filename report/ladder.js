// The ladder: Requester and Responder as two lines, time downwards, one RPC in between: its Call, its
// RDMA Reads and Writes, its Reply, what was lost and sent again, with its phases as a bar beside it. The same
// steps follow as a table, where the header fields are; and the RPCs that were under way at the same time. A frame
// that is of no RPC is shown with what is known of it.
import {loss_of} from './bars.js';
import {certainty_of} from './certainty.js';
import {datum, el, link, replace, svg, when_drawn} from './dom.js';
import {draw_ladder, ladder_legend, short} from './drawing.js';
import {named_as} from './frames.js';
import {incidents_with, kind_text} from './incidents.js';
import {to_finding, to_frame, to_rpc, to_view, to_window} from './links.js';
import {ends_of} from './model.js';
import {setback_words} from './setbacks.js';
import {PHASES, phases_of, steps_of, window_steps} from './steps.js';
import {badge} from './summary.js';
import {explained} from './terms.js';
import {waited} from './tips.js';
import {bytes, counted, duration, offset, printable, sentence} from './units.js';

const MOST_NEIGHBOURS = 24;
const MOST_STEPS = 80; // of a window
const MOST_SETBACKS = 24; // frames of a step
const FATAL_NAK = 'NET-03';

export class Ladder {
  constructor(model, {go}) {
    this.model = model;
    this.go = go;
    this.rpc = null;
    this.again = () => {}; // draws what is shown for another width
    this.body = el('div', {class: 'rpc'});
    this.element = el('div', {}, this.#chooser(), this.body);
    addEventListener('resize', when_drawn(() => this.again()));
  }

  // The RPC to begin with: that of the worst finding, else of the dearest remark, else the slowest.
  first() {
    const {findings, notes, rpcs} = this.model;
    const found = findings.find((finding) => finding.rpc && finding.record.severity !== 'note')?.rpc;
    const noted = notes.map((note) => note.frame !== undefined && this.model.with_frame(note.frame)).find(Boolean);
    const took = (rpc) => rpc?.length ?? (rpc?.waits ? rpc.end - rpc.us : 0);
    return found ?? noted ?? rpcs.reduce((slowest, rpc) => (!slowest || took(rpc) > took(slowest) ? rpc : slowest), null);
  }

  // `frame`: one of its frames, whose step is marked.
  show(rpc, frame = undefined) {
    this.rpc = rpc;
    this.again = () => this.show(rpc, frame);
    const list = rpc ? this.model.of_connection(rpc.conn) : [];
    const place = rpc ? list.indexOf(rpc.index) : -1;
    this.previous.disabled = place <= 0;
    this.next.disabled = place < 0 || place === list.length - 1;
    this.place = place;
    if (!rpc) {
      replace(this.body, el('p', {}, 'There is no RPC to show.'));
      return;
    }
    const steps = steps_of(rpc.record, rpc.lacking).map((step) => at_fault(refused_for_good(step, this.model), rpc));
    const rows = steps.map((step, i) => this.#row(step, i, frame));
    const total = Math.max(rpc.record.delivered_us ?? rpc.length ?? rpc.record.unanswered_us ?? 1, ...steps.map((step) => step.order), 1);
    const {client, server} = ends_of(this.model.connections.get(rpc.conn));
    const ends = rpc.backward ? [`Requester ${server}`, `Responder ${client}`] : [`Requester ${client}`, `Responder ${server}`];
    const drawing = draw_ladder({steps, rows, total, ends, label: rpc.name, phases: phases_of(rpc.record), losses: loss_of(rpc.record), width: this.#width()});
    replace(this.body, frame !== undefined && this.#frame_words(rpc, frame, steps), this.#heading(rpc), scale_words('the Call'), el('div', {class: 'ladder'}, drawing), ladder_legend(steps), this.#table(rows, 'Steps of this RPC: open one for the fields of its header'), this.#neighbours(rpc));
  }

  // All RPCs of a connection in a window, together.
  show_window(conn, window) {
    this.rpc = null;
    this.again = () => this.show_window(conn, window);
    const {steps, left_out, rpcs} = window_steps(this.model, conn, window, MOST_STEPS);
    const {client, server, known} = ends_of(this.model.connections.get(conn));
    const rows = steps.map((step, i) => this.#row(step, i, undefined, known ? {responder: 'Server', requester: 'Client'} : {responder: 'the other', requester: 'one end'}));
    const ends = known ? [`Client ${client}`, `Server ${server}`] : [`One end ${client}`, `The other ${server}`];
    const last = steps.length > 0 ? steps[steps.length - 1].order : 1;
    const drawing = draw_ladder({steps, rows, total: Math.max(last, 1), ends, label: `connection ${conn}`, phases: [], losses: [], width: this.#width()});
    this.previous.disabled = this.next.disabled = true;
    replace(this.body,
      el('h3', {}, el('a', {fragment: to_window(conn, window), class: 'self'}, `Connection ${conn}, ${offset(window[0], 1)} s to ${offset(window[1], 1)} s`)),
      el('p', {class: 'small muted'}, `${counted(rpcs, 'RPC')} under way; ${left_out > 0 ? `the first ${steps.length} of ${counted(steps.length + left_out, 'step')}: zoom in for the others. ` : `${counted(steps.length, 'step')}. `}`,
        link(to_view('time', window), 'Show it on the timeline')),
      scale_words('the beginning of the window'), el('div', {class: 'ladder'}, drawing), ladder_legend(steps), this.#table(rows, 'Steps of these RPCs: open one for the fields of its header'));
  }

  // A frame that is of no RPC in the page: what is known of it, in words, and what went on meanwhile.
  show_frame(place) {
    const {frame, findings, us, conn, under_way, before, after} = place;
    this.rpc = null;
    this.again = () => {};
    this.previous.disabled = this.next.disabled = true;
    const near = [...new Set([before, ...under_way, after].filter(Boolean))];
    const row = (rpc) => el('li', {}, link(to_rpc(rpc, this.model), `${rpc.name} ${rpc.xid}`), ` ${rpc === before ? 'before it' : rpc === after ? 'after it' : 'under way then'}: frames ${rpc.frame} to ${rpc.record.reply_accepted_frame ?? rpc.record.reply_frame ?? 'the end'}, sent at ${offset(rpc.us)} s`);
    const told = incidents_with(frame, this.model).slice(0, 4);
    const window = us === undefined ? null : [Math.max(us - 1000, 0), us + 1000];
    replace(this.body,
      el('h3', {}, el('a', {fragment: `frame=${frame}`, class: 'self'}, `Frame ${frame}`)),
      el('p', {}, us !== undefined && `Captured at ${offset(us)} s on connection ${conn}. `,
        frame === 0 || frame > this.#frames() ? `There is no such frame: the capture has ${counted(this.#frames(), 'frame')}. ` : under_way.length === 0 ? 'No RPC of this page was under way then: it is of none, or of one that the page leaves out. '
          : `It carries no Call, no Reply and no data that is listed here: an acknowledgment, a packet that was sent again, or one of many of a long transfer, while ${counted(under_way.length, 'RPC')} ${under_way.length === 1 ? 'was' : 'were'} under way. `,
        'The page holds no bytes of frames; Wireshark shows it by ', el('code', {}, `frame.number == ${frame}`), '.'),
      findings.length > 0 && el('ul', {class: 'standouts'}, findings.slice(0, 10).map((finding) => el('li', {}, badge(finding.record.severity), ' ',
        el('div', {}, `${named_as(finding, frame)}: ${sentence(finding.record.message)} `, link(to_finding(finding.record), finding.record.rule, {class: 'where'}))))),
      told.length > 0 && el('ul', {class: 'standouts'}, told.map((incident) => el('li', {}, badge('incident', kind_text(incident)), ' ', el('div', {}, `It shows what happened: ${sentence(incident.text)}.`)))),
      near.length > 0 && [el('h4', {}, 'RPCs next to it'), el('ul', {class: 'near'}, near.map(row))],
      window && el('p', {}, link(to_window(conn, window), 'Ladder of all RPCs within a millisecond of it'), ' · ', link(to_view('time', [Math.max(us - 50000, 0), us + 50000]), 'That time on the timeline')));
  }

  // How many a capture has, as far as it is known.
  #frames() {
    return (this.model.report.files ?? []).length > 1 ? Infinity : this.model.summary.frames ?? Infinity;
  }

  #width() {
    return Math.max(this.element.clientWidth || 900, 320);
  }

  // What a frame is to the RPC that is shown since it was asked for.
  #frame_words(rpc, frame, steps) {
    const own = steps.filter((step) => step.frames.includes(frame));
    const named = this.model.findings.filter(({record}) => record.frame === frame || (record.related ?? []).includes(frame)).slice(0, 5);
    return el('div', {class: 'asked', role: 'note'}, el('p', {}, el('strong', {}, `Frame ${frame}`), own.length > 0 ? ` is a frame of this RPC: ${listed_steps(own)}.` : ' is one of those that carried data of this RPC.'),
      named.map((finding) => el('p', {class: 'small'}, `${named_as(finding, frame)}: ${sentence(finding.record.message)} `, link(to_finding(finding.record), finding.record.rule, {class: 'where'}))));
  }

  #chooser() {
    const step = (by) => () => this.rpc && this.go(to_rpc(this.model.rpcs[this.model.of_connection(this.rpc.conn)[this.place + by]], this.model));
    this.previous = el('button', {type: 'button', on: {click: step(-1)}}, 'Previous RPC');
    this.next = el('button', {type: 'button', on: {click: step(1)}}, 'Next RPC');
    const field = el('input', {type: 'text', 'aria-label': 'XID or frame of an RPC', placeholder: 'XID or frame'});
    const answer = el('span', {class: 'status', role: 'status'});
    const find = (event) => {
      event.preventDefault();
      const text = field.value.trim().toLowerCase();
      const xid = /^0x[0-9a-f]{1,8}$/.test(text) ? `0x${text.slice(2).padStart(8, '0')}` : null;
      const rpc = xid ? this.model.rpcs.find((one) => one.xid === xid) : null;
      const frame = /^\d{1,15}$/.test(text) ? Number(text) : null;
      answer.textContent = rpc || frame !== null ? '' : xid ? 'No RPC in this page has that XID.' : 'An XID is like 0x5e3a0003, a frame like 22.';
      if (rpc || frame !== null) {
        this.go(rpc ? to_rpc(rpc, this.model) : to_frame(frame));
      }
    };
    return el('form', {class: 'controls', on: {submit: find}}, this.previous, this.next, el('span', {class: 'fields'}, field, el('button', {type: 'submit'}, 'Find')), answer);
  }

  #heading(rpc) {
    const {record} = rpc;
    const connection = this.model.connections.get(rpc.conn);
    const {client, server} = ends_of(connection);
    const margin = Math.max((rpc.end - rpc.begin) * 2, 1000);
    const facts = [
      rpc.waits ? ['has waited', datum(rpc.end - rpc.us, `${duration(rpc.end - rpc.us)}, and no Reply ${rpc.unanswered ? 'came' : 'arrived'}`)]
        : ['took', datum(rpc.length, rpc.length === undefined ? '' : duration(rpc.length))],
      rpc.length !== undefined && ['mostly on', waited(record)],
      ['XID', rpc.xid],
      ['connection', `${rpc.conn}, ${rpc.backward ? `callback ${server} → ${client}` : `${client} → ${server}`}`],
      ['sent at', link(to_view('time', [rpc.begin - margin, rpc.end + margin]), `${offset(rpc.us)} s`)],
      ['what else went on', link(to_window(rpc.conn, [Math.max(rpc.begin - 1, 0), Math.max(rpc.end, rpc.us + 10) + 1]), 'ladder of all RPCs meanwhile')],
      record.complete === false && ['incomplete', (record.incomplete_because ?? 'frames may be missing').replace(/_/g, ' ')],
      record.setbacks && ['on its connection meanwhile', setback_words(record)],
      record.recovery_us > 0 && [rpc.refused ? 'waited for a receive buffer' : 'waited for what was lost', datum(record.recovery_us, duration(record.recovery_us))],
      rpc.unwritten > 0 && ['never written', el('span', {class: 'wrong'}, `${bytes(rpc.unwritten)} of what the Reply claims`)],
      record.at_credit_limit_us > 0 && ['before it', `${duration(record.at_credit_limit_us)} at the credit limit`],
    ].filter(Boolean);
    return [
      el('h3', {id: 'rpc-heading'}, el('a', {fragment: to_rpc(rpc, this.model), class: 'self'}, rpc.name), rpc.failure && [' ', el('span', {class: 'badge error'}, rpc.failure)]),
      el('dl', {class: 'figures'}, facts.map(([name, value]) => el('div', {}, el('dt', {}, explained(name)), el('dd', {}, typeof value === 'string' ? explained(value) : value)))),
      rpc.findings && el('ul', {class: 'standouts'}, rpc.findings.slice(0, 10).map((finding) => {
        const {word, why} = certainty_of(finding, this.model);
        return el('li', {}, badge(finding.record.severity), ' ', el('div', {}, sentence(finding.record.message), ' ', link(to_finding(finding.record), finding.record.rule, {class: 'where'}),
          el('p', {class: 'small certainty'}, el('strong', {}, word), `: ${why}.`)));
      })),
    ];
  }

  // Rows of the table; each opens to show the fields of its header.
  // `ends`: how the ends are called, {responder, requester}.
  #row(step, i, asked, ends = {responder: 'Responder', requester: 'Requester'}) {
    const frames = step.frames.slice(0, step.state ? MOST_SETBACKS : 12);
    const fields = step.fields && el('details', {}, el('summary', {}, step.title),
      el('dl', {class: 'fields'}, step.fields.map(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))])));
    const direction = step.to ? `${step.to === 'responder' ? '→' : '←'} ${ends[step.to]}` : '';
    return el('tr', {id: `step-${i}`, tabindex: -1, class: asked !== undefined && step.frames.includes(asked) ? 'here' : null},
      el('td', {class: 'number'}, step.at === undefined ? '' : `${step.between ? '≈ ' : ''}${duration(step.at)}`),
      el('td', {}, direction), el('th', {scope: 'row'}, fields ?? step.title),
      el('td', {}, step.rpc && [link(to_rpc(step.rpc, this.model), `${step.rpc.name} ${step.rpc.xid}`), ' '],
        step.state && [el('span', {class: `state ${step.state.replace(' ', '-')}`}, step.state), ' '], printable(step.detail ?? '')),
      el('td', {class: 'frames'}, frames.map((frame) => [link(to_frame(frame), String(frame), {class: frame === asked ? 'chip here' : 'chip'}), ' ']), step.frames.length > frames.length && `… ${Math.max(...step.frames)}`));
  }

  #table(rows, caption) {
    return el('div', {class: 'scroller', tabindex: 0, role: 'region', 'aria-label': caption},
      el('table', {class: 'steps'}, el('caption', {}, caption),
        el('thead', {}, el('tr', {}, ['after', 'to', 'step', 'how', 'frames'].map((name, i) => el('th', {scope: 'col', class: i === 0 ? 'number' : null}, name)))),
        el('tbody', {}, rows)));
  }

  // Those of the same connection that were under way then, or half as long before or after.
  #neighbours(rpc) {
    const list = this.model.of_connection(rpc.conn).map((i) => this.model.rpcs[i]);
    const span = Math.max(rpc.end - rpc.us, 10);
    const [from, to] = [rpc.us - span / 2, rpc.end + span / 2];
    const near = list.filter((one) => one.us <= to && one.end >= from);
    const at = near.indexOf(rpc);
    const begin = Math.max(0, Math.min(at - MOST_NEIGHBOURS / 2, near.length - MOST_NEIGHBOURS));
    const shown = near.slice(begin, begin + MOST_NEIGHBOURS);
    const width = this.#width();
    const text_width = width < 560 ? 116 : 190;
    const x_of = (us) => text_width + ((Math.min(Math.max(us, from), to) - from) / (to - from)) * (width - text_width - 4);
    const drawing = svg('svg', {width, height: shown.length * 20 + 6, class: 'neighbours', role: 'group', 'aria-label': 'RPCs before, during and after it'});
    shown.forEach((one, row) => {
      const y = row * 20 + 2;
      const bar = svg('a', {fragment: to_rpc(one, this.model), 'aria-label': `${one.name} ${one.xid}, ${one.length === undefined ? 'no time known' : duration(one.length)}`});
      bar.append(svg('rect', {x: 0, y, width, height: 18, class: one === rpc ? 'row here' : 'row'}), svg('text', {x: text_width - 8, y: y + 13, 'text-anchor': 'end'}, short(one.name, Math.floor(text_width / 8.3))),
        svg('rect', {x: x_of(one.us), y: y + 4, width: Math.max(x_of(one.end) - x_of(one.us), 1), height: 10, class: one.waits ? 'phase waiting' : 'phase unknown'}));
      for (const phase of phases_of(one.record)) {
        const x = x_of(one.us + phase.from);
        bar.append(svg('rect', {x, y: y + 4, width: Math.max(x_of(one.us + phase.to) - x, 0.5), height: 10, class: `phase ${phase.name}`}));
      }
      for (const [from, to] of loss_of(one.record)) {
        const x = x_of(one.us + from);
        bar.append(svg('rect', {x, y: y + 8, width: Math.max(x_of(one.us + to) - x, 0.5), height: 6, class: 'phase loss'}));
      }
      drawing.append(bar);
    });
    return el('figure', {}, el('figcaption', {}, `Before, during and after it: ${counted(near.length, 'RPC')}${near.length > shown.length ? `, ${shown.length} shown` : ''}; bars are phases`),
      el('div', {class: 'ladder'}, drawing), phase_legend());
  }
}

function scale_words(begin) {
  return el('p', {class: 'small muted scale'}, `In order of time, not to scale; times are since ${begin}.`);
}

// A NAK that asks for nothing to be sent again: a finding says why it came.
function refused_for_good(step, model) {
  const found = step.kind === 'refusal' && model.findings.find(({record}) => record.rule === FATAL_NAK && step.frames.includes(record.frame));
  return found ? {...step, title: 'NAK: the request is refused', detail: sentence(found.record.message)} : step;
}

// A step with the rules that were found broken in its frames.
function at_fault(step, rpc) {
  const rules = [...new Set((rpc.findings ?? []).filter(({record}) => record.severity !== 'note' && step.kind !== 'request' && step.frames.includes(record.frame)).map(({record}) => record.rule))];
  return rules.length === 0 ? step : {...step, wrong: true, detail: [step.detail, rules.join(', ')].filter(Boolean).join(' · ')};
}

// "NAK: packets before this are missing, after 3.77 ms".
function listed_steps(steps) {
  return steps.slice(0, 3).map((step) => `${step.title}${step.state && !step.title.endsWith(step.state) ? `, ${step.state}` : ''}${step.at !== undefined ? `, after ${duration(step.at)}` : ''}`).join('; ');
}

export function phase_legend() {
  return el('ul', {class: 'legend', 'aria-label': 'Phases'}, [...PHASES, ['loss', 'of these, what went by on loss'], ['waiting', 'for a Reply that did not come']].map(([name, text]) => el('li', {}, el('span', {class: `sample phase-${name}`, 'aria-hidden': 'true'}), el('strong', {}, name), ` ${text}`)));
}
