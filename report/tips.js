// Tips: what a strip of the timeline says of the RPC or the mark under the pointer, and where a click on it leads.
import {loss_of} from './bars.js';
import {el, replace} from './dom.js';
import {to_finding, to_rpc} from './links.js';
import {duration, offset, sentence} from './units.js';

export const KINDS = {lost: 'sent again or refused', congested: 'marked by the network'};

export function waited(record) {
  return {responder: 'the server’s side of the tap', requester: 'the client’s side', network: 'lost packets', data: 'moving data'}[record.waited_on] ?? 'what the capture does not show';
}

// Of a Call without a Reply: how long it has waited, as far as the capture goes, or until it was sent again.
function took(rpc) {
  if (rpc.length !== undefined || !rpc.waits) {
    return rpc.length === undefined ? 'no time known' : `${duration(rpc.length)}${rpc.begin < rpc.us ? ` with earlier attempts, ${duration(rpc.end - rpc.us)} without` : ''}`;
  }
  return `no Reply${rpc.unanswered ? '' : ' arrived'}, for ${duration(rpc.end - rpc.us)}${rpc.next ? `; sent again on connection ${rpc.next.conn}` : ' and more'}`;
}

function rpc_tip(rpc) {
  const {record} = rpc;
  const lost = loss_of(record).reduce((sum, [from, to]) => sum + to - from, 0);
  const rows = [`${took(rpc)} · ${rpc.xid} · frame ${rpc.frame}`, `sent at ${offset(rpc.us)} s${rpc.length === undefined ? '' : `, mostly on ${waited(record)}`}`];
  if (lost > 0) {
    rows.push(`${duration(lost)} of it went by ${rpc.refused ? 'until there was a receive buffer' : 'on loss'}`);
  }
  if (rpc.failure) {
    rows.push(`failed: ${rpc.failure}`);
  }
  if (rpc.findings) {
    rows.push(rpc.findings.map((finding) => finding.record.rule).slice(0, 4).join(', '));
  }
  return [el('strong', {}, rpc.name), rows.map((row) => el('div', {}, row)), el('div', {class: 'muted'}, 'Click: its ladder. Drag: zoom.')];
}

function mark_tip(mark) {
  return mark.finding ? [el('strong', {}, `${mark.finding.record.rule}, frame ${mark.finding.record.frame}`), el('div', {}, sentence(mark.finding.record.message))]
    : [el('strong', {}, KINDS[mark.kind]), el('div', {}, mark.text)];
}

// Handlers of a strip: `find(x, y)` is the {rpc} or {mark} at a point of it, a {tip()} of its own, or null; `view` the Overview.
export function pointing(view, model, find) {
  return {
    on_hover: (x, y, chart) => {
      const found = x < 0 ? null : find(x, y);
      view.tip.hidden = !found;
      chart.element.classList.toggle('pointing', Boolean(found));
      if (found) {
        replace(view.tip, found.tip ? found.tip() : found.rpc ? rpc_tip(found.rpc) : mark_tip(found.mark));
        beside(view, chart, x, y);
      }
    },
    on_click: (x, y) => {
      const found = find(x, y);
      if (found?.rpc) {
        view.go(to_rpc(found.rpc, model));
      } else if (found?.mark?.finding) {
        view.go(to_finding(found.mark.finding.record));
      } else if (found?.mark) { // closer, until what it counts can be told apart
        const around = Math.max((view.window[1] - view.window[0]) / 10, found.mark.width * 2, 10);
        view.zoom([found.mark.us - around / 2, found.mark.us + around / 2]);
      }
    },
  };
}

function beside(view, chart, x, y) {
  const box = chart.plot.over.getBoundingClientRect();
  const home = view.element.getBoundingClientRect();
  const left = box.left - home.left + x + 14;
  view.tip.style.left = `${Math.max(Math.min(left, home.width - view.tip.offsetWidth - 4), 4)}px`;
  view.tip.style.top = `${box.top - home.top + y + 14}px`;
}

// What is nearest to a point, within ten pixels: {add(x, y, what), found}.
export function nearest_to(x, y) {
  let least = 100;
  const best = {found: null, add: (at_x, at_y, what) => {
    const distance = (at_x - x) ** 2 + (at_y - y) ** 2;
    if (distance < least) {
      least = distance;
      best.found = what;
    }
  }};
  return best;
}
