// The strip of credits: Calls outstanding against the credits that the server granted, with the time at the limit.
import {Chart} from './chart.js';
import {el} from './dom.js';
import {credit_intervals, credit_steps, step_columns, upper} from './series.js';
import {colour} from './theme.js';
import {duration, whole} from './units.js';

// {chart, title, key} of a connection; `view` is the Overview.
export function credit_strip(model, conn, view) {
  const load = model.loads.get(conn);
  const paces = model.paces.get(conn);
  let steps = null; // made when they are drawn
  const made = () => (steps ??= paces ? credit_intervals(paces) : credit_steps(model, conn));
  const most = Math.max(load?.in_flight_max ?? made().outstanding.reduce((a, b) => Math.max(a, b), 0), 1);
  const granted = load?.granted_max ?? 0;
  const top = granted > 0 && granted <= most * 8 ? Math.max(granted, most) : most;
  const far_grant = granted > top ? granted : null; // beyond the scale, said in words
  const limited = load?.at_credit_limit_us ?? 0;
  const chart = new Chart({
    height: 104,
    label: `Calls outstanding: at most ${most}${granted ? `, of ${granted} credits granted` : ''}; ${limited > 0 ? duration(limited) : 'never'} at the limit`,
    y: {range: () => [0, top * 1.15], values: (value) => (Number.isInteger(value) ? whole(value) : '')},
    draw: (_, context, box) => draw_credits(made(), top * 1.15, far_grant, view.window, context, box),
    on_brush: (window) => view.zoom(window),
  });
  return {chart, title: `Calls outstanding${paces ? ' on average' : ''}, and credits granted`, key: key_of_credits(far_grant)};
}

function draw_credits(steps, top, far_grant, [from, to], context, box) {
  const columns = Math.max(Math.floor(box.width), 1);
  const y_of = (value) => (1 - value / top) * box.height;
  const most = step_columns(steps.times, steps.outstanding, from, to, columns);
  context.fillStyle = colour('--area');
  for (let column = 0; column < columns; ++column) {
    const y = y_of(Math.max(most[column], 0));
    context.fillRect((column * box.width) / columns, y, box.width / columns + 0.3, box.height - y);
  }
  context.fillStyle = colour('--limit'); // over the calls that wait under it
  for (const [begin, end] of steps.limits) {
    if (end >= from && begin <= to) {
      const x = ((begin - from) / (to - from)) * box.width;
      context.fillRect(x, 0, Math.max(((end - begin) / (to - from)) * box.width, 1), box.height);
    }
  }
  if (far_grant !== null) {
    return;
  }
  context.strokeStyle = colour('--granted');
  context.lineWidth = 1.5;
  context.beginPath();
  let i = Math.max(upper(steps.times, from) - 1, 0);
  let drawn = false;
  let last_x = -1;
  for (; i < steps.times.length && steps.times[i] <= to; ++i) {
    const x = Math.max(((steps.times[i] - from) / (to - from)) * box.width, 0);
    if (steps.granted[i] === undefined || (x - last_x < 0.5 && steps.granted[i] === steps.granted[i - 1])) {
      continue;
    }
    last_x = x;
    const y = y_of(steps.granted[i]);
    if (drawn) {
      context.lineTo(x, y_of(steps.granted[i - 1] ?? steps.granted[i]));
      context.lineTo(x, y);
    } else {
      context.moveTo(x, y);
    }
    drawn = true;
  }
  if (drawn) {
    context.lineTo(box.width, y_of(steps.granted[i - 1]));
  }
  context.stroke();
}

function key_of_credits(far_grant) {
  return el('span', {class: 'key'}, el('span', {class: 'sample area'}), 'outstanding',
    far_grant === null && [el('span', {class: 'sample line'}), 'granted'], el('span', {class: 'sample limit'}), 'at the limit',
    far_grant !== null && ` (${whole(far_grant)} credits granted, far beyond this scale)`);
}
