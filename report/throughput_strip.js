// The strip of throughput: bytes of RPC messages each second, both ways.
import {Chart} from './chart.js';
import {el} from './dom.js';
import {throughput} from './series.js';
import {colour} from './theme.js';
import {bytes} from './units.js';

// {chart, title, key} of a connection; `view` is the Overview.
export function throughput_strip(model, conn, view) {
  let rates = null;
  let top = 1;
  let made_for = null;
  const prepare = (columns) => {
    if (made_for !== view.window) {
      rates = throughput(model, conn, view.window[0], view.window[1], columns);
      top = Math.max(rates.to_client.reduce((a, b) => Math.max(a, b), 0), rates.to_server.reduce((a, b) => Math.max(a, b), 0), 1) * 1.1;
      made_for = view.window;
    }
  };
  const columns_of = (width) => Math.max(Math.floor(width / 5), 1);
  const chart = new Chart({
    height: 104,
    on_brush: (window) => view.zoom(window),
    label: 'Bytes of RPC messages each second, to the client and to the server',
    y: {
      range: () => {
        prepare(columns_of(chart.element.clientWidth - 92));
        return [0, top];
      },
      splits: () => byte_splits(top),
      values: (value) => (value === 0 ? '0' : `${bytes(value)}/s`),
    },
    draw: (_, context, box) => {
      prepare(columns_of(box.width));
      const bar = (values, style, place) => {
        context.fillStyle = colour(style);
        const width = box.width / values.length;
        for (let i = 0; i < values.length; ++i) {
          const height = (values[i] / top) * box.height;
          if (height > 0) {
            context.fillRect(i * width + place * width * 0.5, box.height - Math.max(height, 1), Math.max(width * 0.5 - 0.4, 0.8), Math.max(height, 1));
          }
        }
      };
      bar(rates.to_client, '--to-client', 0);
      bar(rates.to_server, '--to-server', 1);
    },
  });
  return {chart, title: 'Throughput of RPC messages', key: key_of_throughput()};
}

// Two or so round numbers of bytes up to `top`.
function byte_splits(top) {
  const unit = 1024 ** Math.max(Math.floor(Math.log(top) / Math.log(1024)), 0);
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].map((digits) => digits * unit).find((one) => top / one <= 3) ?? 512 * unit;
  return Array.from({length: Math.floor(top / step) + 1}, (_, i) => i * step);
}

function key_of_throughput() {
  return el('span', {class: 'key'}, el('span', {class: 'sample to-client'}), 'to the client', el('span', {class: 'sample to-server'}), 'to the server');
}
