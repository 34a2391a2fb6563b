// The ladder: Requester and Responder as two lines, time downwards, one RPC in between: its Call, its
// RDMA Reads and Writes, its Reply, with its phases as a bar beside it. The same steps follow as a
// table, where the header fields are; and the RPCs that were under way at the same time.
import {datum, el, link, replace, svg} from './dom.js';
import {to_finding, to_frame, to_rpc, to_view, to_window} from './links.js';
import {waited} from './lane.js';
import {PHASES, frame_text, phases_of, steps_of, window_steps} from './steps.js';
import {badge, ends_of} from './summary.js';
import {counted, duration, offset, printable} from './units.js';

const MOST_NEIGHBOURS = 24;
const MOST_STEPS = 80; // of a window
const ROW = 34; // pixels between two steps, at least
const STRETCH = 240; // and so many more for all of the time

export class Ladder {
  constructor(model, {go}) {
    this.model = model;
    this.go = go;
    this.rpc = null;
    this.window = null; // {conn, window} where that is shown, and not one RPC
    this.body = el('div', {class: 'rpc'});
    this.element = el('div', {}, this.#chooser(), this.body);
    let waiting = 0;
    addEventListener('resize', () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => (this.window ? this.show_window(this.window.conn, this.window.window) : this.rpc && this.show(this.rpc)));
    });
  }

  // The RPC to begin with: that of the worst finding, else of the dearest remark, else the slowest.
  first() {
    const {findings, notes, rpcs} = this.model;
    const found = findings.find((finding) => finding.rpc && finding.record.severity !== 'note')?.rpc;
    const noted = notes.map((note) => note.frame !== undefined && this.model.with_frame(note.frame)).find(Boolean);
    return found ?? noted ?? rpcs.reduce((slowest, rpc) => ((rpc.length ?? 0) > (slowest?.length ?? -1) ? rpc : slowest), null);
  }

  show(rpc) {
    this.rpc = rpc;
    this.window = null;
    const list = rpc ? this.model.of_connection(rpc.conn) : [];
    const place = rpc ? list.indexOf(rpc.index) : -1;
    this.previous.disabled = place <= 0;
    this.next.disabled = place < 0 || place === list.length - 1;
    this.place = place;
    if (!rpc) {
      replace(this.body, el('p', {}, 'There is no RPC to show.'));
      return;
    }
    const steps = steps_of(rpc.record);
    const rows = steps.map((step, i) => this.#row(step, i));
    const total = Math.max(rpc.record.delivered_us ?? rpc.length ?? rpc.record.unanswered_us ?? 1, ...steps.map((step) => step.order), 1);
    const {client, server} = ends_of(this.model.connections.get(rpc.conn));
    const ends = rpc.backward ? [`Requester ${server}`, `Responder ${client}`] : [`Requester ${client}`, `Responder ${server}`];
    const drawing = this.#drawing({steps, rows, total, ends, label: rpc.name, phases: phases_of(rpc.record)});
    replace(this.body, this.#heading(rpc), el('div', {class: 'ladder'}, drawing), this.#table(rows, 'Steps of this RPC: open one for the fields of its header'), this.#neighbours(rpc));
  }

  // All RPCs of a connection in a window, together.
  show_window(conn, window) {
    this.window = {conn, window};
    const {steps, left_out, rpcs} = window_steps(this.model, conn, window, MOST_STEPS);
    const rows = steps.map((step, i) => this.#row(step, i));
    const {client, server, known} = ends_of(this.model.connections.get(conn));
    const ends = known ? [`Client ${client}`, `Server ${server}`] : [`One end ${client}`, `The other ${server}`];
    const last = steps.length > 0 ? steps[steps.length - 1].order : 1;
    const drawing = this.#drawing({steps, rows, total: Math.max(last, 1), ends, label: `connection ${conn}`, phases: []});
    this.previous.disabled = this.next.disabled = true;
    replace(this.body,
      el('h3', {}, el('a', {fragment: to_window(conn, window), class: 'self'}, `Connection ${conn}, ${offset(window[0], 1)} s to ${offset(window[1], 1)} s`)),
      el('p', {class: 'small muted'}, `${counted(rpcs, 'RPC')} under way; ${left_out > 0 ? `the first ${steps.length} of ${counted(steps.length + left_out, 'step')}: zoom in for the others. ` : `${counted(steps.length, 'step')}. `}`,
        link(to_view('time', window), 'Show it on the timeline')),
      el('div', {class: 'ladder'}, drawing), this.#table(rows, 'Steps of these RPCs: open one for the fields of its header'));
  }

  #chooser() {
    const step = (by) => () => this.go(to_rpc(this.model.rpcs[this.model.of_connection(this.rpc.conn)[this.place + by]], this.model));
    this.previous = el('button', {type: 'button', on: {click: step(-1)}}, 'Previous RPC');
    this.next = el('button', {type: 'button', on: {click: step(1)}}, 'Next RPC');
    const field = el('input', {type: 'text', 'aria-label': 'XID or frame of an RPC', placeholder: 'XID or frame'});
    const answer = el('span', {class: 'status', role: 'status'});
    const find = (event) => {
      event.preventDefault();
      const text = field.value.trim().toLowerCase();
      const xid = /^0x[0-9a-f]{1,8}$/.test(text) ? `0x${text.slice(2).padStart(8, '0')}` : null;
      const rpc = xid ? this.model.rpcs.find((one) => one.xid === xid) : /^\d+$/.test(text) ? this.model.with_frame(Number(text)) : null;
      answer.textContent = rpc ? '' : 'No RPC here has that XID or frame.';
      if (rpc) {
        this.go(to_rpc(rpc, this.model));
      }
    };
    return el('form', {class: 'controls', on: {submit: find}}, this.previous, this.next, el('span', {class: 'fields'}, field, el('button', {type: 'submit'}, 'Find')), answer);
  }

  #heading(rpc) {
    const {record} = rpc;
    const connection = this.model.connections.get(rpc.conn);
    const {client, server} = ends_of(connection);
    const margin = Math.max((rpc.length ?? 0) * 2, 1000);
    const facts = [
      ['took', datum(rpc.length, rpc.length === undefined ? '' : duration(rpc.length))],
      ['mostly on', waited(record)],
      ['XID', rpc.xid],
      ['connection', `${rpc.conn}, ${rpc.backward ? `callback ${server} → ${client}` : `${client} → ${server}`}`],
      ['sent at', link(to_view('time', [rpc.us - margin, rpc.us + (rpc.length ?? 0) + margin]), `${offset(rpc.us)} s`)],
      ['what else went on', link(to_window(rpc.conn, [Math.max(rpc.us - 1, 0), Math.max(rpc.end, rpc.us + 10) + 1]), 'ladder of all RPCs meanwhile')],
      record.complete === false && ['incomplete', (record.incomplete_because ?? 'frames may be missing').replace(/_/g, ' ')],
      record.at_credit_limit_us > 0 && ['before it', `${duration(record.at_credit_limit_us)} at the credit limit`],
    ].filter(Boolean);
    return [
      el('h3', {id: 'rpc-heading'}, el('a', {fragment: to_rpc(rpc, this.model), class: 'self'}, rpc.name), rpc.failure && [' ', el('span', {class: 'badge error'}, rpc.failure)]),
      el('dl', {class: 'figures'}, facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value)))),
      rpc.findings && el('ul', {class: 'standouts'}, rpc.findings.slice(0, 10).map(({record: found}) =>
        el('li', {}, badge(found.severity), ' ', printable(found.message), ' ', link(to_finding(found), found.rule, {class: 'where'})))),
    ];
  }

  // Rows of the table; each opens to show the fields of its header.
  #row(step, i) {
    const frames = step.frames.slice(0, 12);
    const fields = step.fields && el('details', {}, el('summary', {}, step.title),
      el('dl', {class: 'fields'}, step.fields.map(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))])));
    const direction = {responder: '→ Responder', requester: '← Requester'}[step.to] ?? '';
    return el('tr', {id: `step-${i}`, tabindex: -1},
      el('td', {class: 'number'}, step.at === undefined ? '' : `${step.between ? '≈ ' : ''}${duration(step.at)}`),
      el('td', {}, direction), el('th', {scope: 'row'}, fields ?? step.title),
      el('td', {}, step.rpc && [link(to_rpc(step.rpc, this.model), `${step.rpc.name} ${step.rpc.xid}`), ' '], printable(step.detail ?? '')),
      el('td', {class: 'frames'}, frames.map((frame) => [link(to_frame(frame), String(frame), {class: 'chip'}), ' ']), step.frames.length > frames.length && `… ${Math.max(...step.frames)}`));
  }

  #table(rows, caption) {
    return el('div', {class: 'scroller', tabindex: 0, role: 'region', 'aria-label': caption},
      el('table', {class: 'steps'}, el('caption', {}, caption),
        el('thead', {}, el('tr', {}, ['after', 'to', 'step', 'how', 'frames'].map((name, i) => el('th', {scope: 'col', class: i === 0 ? 'number' : null}, name)))),
        el('tbody', {}, rows)));
  }

  #drawing({steps, rows, total, ends, label, phases}) {
    const width = Math.max(this.element.clientWidth || 900, 320);
    const narrow = width < 560;
    const [left, right] = narrow ? [70, width - 16] : [190, width - 90];
    const scale = scale_of(total, steps);
    const height = scale.bottom + 30;
    const drawing = svg('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': `Ladder of ${label}: ${counted(steps.length, 'step')}, listed in the table below`});
    drawing.append(svg('defs', {}, svg('marker', {id: 'head', viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 12, markerHeight: 12, markerUnits: 'userSpaceOnUse', orient: 'auto-start-reverse'}, svg('path', {d: 'M0 0L10 5L0 10z', class: 'head'}))));
    for (const [i, x] of [left, right].entries()) {
      const anchor = !narrow ? 'middle' : i === 0 ? 'start' : 'end';
      drawing.append(svg('line', {x1: x, x2: x, y1: 26, y2: height - 8, class: 'lifeline'}),
        svg('text', {x: !narrow ? x : i === 0 ? 4 : width - 2, y: 16, class: 'end', 'text-anchor': anchor}, short(ends[i], narrow ? Math.floor(width / 16) : 60)));
    }
    drawing.append(...this.#phase_bar(phases, scale, narrow ? 14 : 104, narrow));
    steps.forEach((step, i) => drawing.append(this.#arrow(step, rows[i], scale.places[i], left, right, narrow)));
    if (phases.length === 0 && !narrow) {
      steps.forEach((step, i) => step.at !== undefined && drawing.append(svg('text', {x: left - 10, y: scale.places[i] + 4, class: 'phase-name', 'text-anchor': 'end'}, `+ ${duration(step.at)}`)));
    }
    return drawing;
  }

  #phase_bar(phases, scale, x, narrow) {
    const parts = [];
    for (const {name, from, to, text} of phases) {
      const top = scale.y(from);
      const size = Math.max(scale.y(to) - top, 2);
      parts.push(svg('rect', {x, y: top, width: 12, height: size, class: `phase ${name}`}, svg('title', {}, `${name}, ${duration(to - from)}: ${text}`)));
      if (size >= 13) {
        parts.push(svg('text', {x: narrow ? x + 15 : x - 6, y: top + size / 2 + 4, class: 'phase-name', 'text-anchor': narrow ? 'start' : 'end'}, narrow ? name : `${name} ${duration(to - from)}`));
      }
    }
    return parts;
  }

  #arrow(step, row, y, left, right, narrow) {
    const open = () => {
      const details = row.querySelector('details');
      if (details) {
        details.open = true;
      }
      row.focus();
      row.scrollIntoView({block: 'nearest'});
    };
    const key = (event) => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        open();
      }
    };
    const frames = frame_text(step.frames);
    const spoken = [step.title, step.to && `to the ${step.to}`, frames, step.at !== undefined && `after ${duration(step.at)}`, step.detail].filter(Boolean).join(', ');
    const group = svg('g', {class: `step ${step.kind}${step.wrong ? ' bad' : ''}`, tabindex: 0, role: 'button', 'aria-label': spoken, on: {click: open, keydown: key}});
    const middle = (left + right) / 2;
    group.append(svg('rect', {x: left - 4, y: y - 24, width: right - left + 8, height: 32, class: 'hit'}));
    const text = [step.rpc && step.title.startsWith('Call ') === false ? step.rpc.xid : null, step.title, frames, !narrow && step.detail].filter(Boolean).join(' · ');
    if (step.to) {
      const [from, whole] = step.to === 'responder' ? [left + 1, right - 2] : [right - 1, left + 2];
      const to = step.lost ? from + (whole - from) * 0.86 : whole;
      group.append(svg('line', {x1: from, x2: to, y1: y, y2: y + 4, class: 'arrow', 'marker-end': step.lost ? null : 'url(#head)'}));
      if (step.lost) {
        group.append(svg('path', {d: `M${to - 5} ${y - 1}l10 10m0 -10l-10 10`, class: 'lost-mark'}));
      }
    }
    group.append(svg('text', {x: middle, y: y - 6, 'text-anchor': 'middle', class: step.to ? 'label' : 'label remark'}, short(text, Math.floor((right - left) / 6.4))));
    return group;
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
    const width = Math.max(this.element.clientWidth || 900, 320);
    const text_width = width < 560 ? 116 : 190;
    const x_of = (us) => text_width + ((Math.min(Math.max(us, from), to) - from) / (to - from)) * (width - text_width - 4);
    const drawing = svg('svg', {width, height: shown.length * 20 + 6, class: 'neighbours', role: 'group', 'aria-label': 'RPCs before, during and after it'});
    shown.forEach((one, row) => {
      const y = row * 20 + 2;
      const bar = svg('a', {fragment: to_rpc(one, this.model), 'aria-label': `${one.name} ${one.xid}, ${one.length === undefined ? 'no time known' : duration(one.length)}`});
      bar.append(svg('rect', {x: 0, y, width, height: 18, class: one === rpc ? 'row here' : 'row'}), svg('text', {x: text_width - 8, y: y + 13, 'text-anchor': 'end'}, short(one.name, Math.floor(text_width / 7.7))),
        svg('rect', {x: x_of(one.us), y: y + 4, width: Math.max(x_of(one.end) - x_of(one.us), 1), height: 10, class: 'phase unknown'}));
      for (const phase of phases_of(one.record)) {
        const x = x_of(one.us + phase.from);
        bar.append(svg('rect', {x, y: y + 4, width: Math.max(x_of(one.us + phase.to) - x, 0.5), height: 10, class: `phase ${phase.name}`}));
      }
      drawing.append(bar);
    });
    return el('figure', {}, el('figcaption', {}, `Before, during and after it: ${counted(near.length, 'RPC')}${near.length > shown.length ? `, ${shown.length} shown` : ''}; bars are phases`),
      el('div', {class: 'ladder'}, drawing), phase_legend());
  }
}

export function phase_legend() {
  return el('ul', {class: 'legend', 'aria-label': 'Phases'}, PHASES.map(([name, text]) => el('li', {}, el('span', {class: `sample phase-${name}`, 'aria-hidden': 'true'}), el('strong', {}, name), ` ${text}`)));
}

function short(text, most) {
  return text.length <= most ? text : `${text.slice(0, Math.max(most - 1, 1))}…`;
}

// Where each step, and any time between, lies: in order, never closer than ROW, and what is left over by time.
function scale_of(total, steps) {
  const places = [];
  const marks = [[0, 52]];
  let y = 52;
  let before = 0;
  steps.forEach((step, i) => {
    const at = Math.min(Math.max(step.order, before), total);
    y += (i === 0 ? 0 : ROW) + (STRETCH * (at - before)) / total;
    before = at;
    places.push(y);
    marks.push([at, y]);
  });
  const bottom = y + Math.max((STRETCH * (total - before)) / total, 8);
  marks.push([total, bottom]);
  const position = (us) => {
    if (us < 0) {
      return 34; // earlier attempts, above
    }
    let low = 0;
    while (low + 1 < marks.length && marks[low + 1][0] <= us) {
      ++low;
    }
    const high = Math.min(low + 1, marks.length - 1);
    const [[t0, y0], [t1, y1]] = [marks[low], marks[high]];
    return t1 > t0 ? y0 + ((Math.min(us, t1) - t0) / (t1 - t0)) * (y1 - y0) : y0;
  };
  return {places, bottom, y: position};
}
