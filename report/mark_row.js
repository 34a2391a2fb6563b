// The row of marks above a connection's bars: findings, and where packets were sent again, refused or marked.
import {colour} from './theme.js';

export const BAND = 16; // pixels of it
const SHAPES = {error: '--error', warning: '--warning', note: '--note', lost: '--lost', congested: '--congested'};

// Draws those in a window, one a pixel or so of each kind; returns them: [{x, mark}].
export function draw_marks(marks, [from, to], context, box, x_of) {
  context.strokeStyle = colour('--grid');
  context.lineWidth = 1;
  context.strokeRect(-1, -1, box.width + 2, BAND + 0.5);
  const last = {};
  const shown = [];
  for (const mark of marks) {
    const x = x_of(mark.us);
    if (mark.us < from || mark.us > to || x - (last[mark.kind] ?? -9) < 3) {
      continue;
    }
    last[mark.kind] = x;
    shown.push({x, mark});
    draw_mark(context, x, BAND / 2, mark.kind);
  }
  return shown;
}

function draw_mark(context, x, y, kind) {
  context.fillStyle = colour(SHAPES[kind]);
  context.beginPath();
  if (kind === 'lost') { // a triangle, point down
    context.moveTo(x - 4, y - 4);
    context.lineTo(x + 4, y - 4);
    context.lineTo(x, y + 4);
  } else if (kind === 'congested') {
    context.rect(x - 3, y - 3, 6, 6);
  } else { // a diamond
    context.moveTo(x, y - 6);
    context.lineTo(x + 5, y);
    context.lineTo(x, y + 6);
    context.lineTo(x - 5, y);
  }
  context.fill();
}
