// The camera as plain functions of a pose: {yaw, pitch} in radians, {far, aim} in tiles.
// x is east, z south, y up. Nothing here knows the page.
const LENS = 2.4,
  NEAR = 0.5,
  END = 300;
const FLAT = 0.05; // of a way's length: one that falls less meets the ground far away
const ROUNDS = 24; // of the search for a pose that fits

const ROOMY = 0.9; // of the picture for the board
export const TIGHT = 0.84; // where the labels of the rim need more of it
export const TOP = { yaw: 0, pitch: 1.55, share: TIGHT };
const UPRIGHT = 0.8; // width of a window by its height up to which it is seen as a phone; stage.css
// Home by the width of the window: [below this width, turn and tilt in degrees, share].
const HOMES = [
  [600, 2, 74, TIGHT],
  [1024, 25, 42, ROOMY],
  [Infinity, 33, 34, ROOMY],
];

// In a window that is higher than wide a board from above has the largest tiles.
export function homeOf(width, height) {
  const [, turn, tilt, share] = HOMES.find(([below]) => width < below || width <= UPRIGHT * height);
  return { yaw: (turn * Math.PI) / 180, pitch: (tilt * Math.PI) / 180, share };
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
export const unit = (a) => a.map((v) => v / (Math.hypot(...a) || 1));

export function eyeOf({ yaw, pitch, far, aim }) {
  const flat = Math.cos(pitch) * far;
  return [
    aim[0] + flat * Math.sin(yaw),
    aim[1] + Math.sin(pitch) * far,
    aim[2] + flat * Math.cos(yaw),
  ];
}

function axesOf({ yaw, pitch }) {
  const flat = Math.cos(pitch);
  const back = [flat * Math.sin(yaw), Math.sin(pitch), flat * Math.cos(yaw)];
  const right = [Math.cos(yaw), 0, -Math.sin(yaw)];
  return { back, right, up: cross(back, right) };
}

// The way up of a picture at these angles, one tile long.
export const upOf = (angles) => axesOf(angles).up;

// How large a tile at a distance of one tile is seen: [across, up]; as large in a wide picture
// as in a
// high one, so that neither looks bent.
const lensOf = (aspect) => [LENS / Math.sqrt(aspect), LENS * Math.sqrt(aspect)];

export function matrixOf(pose, aspect) {
  const { back, right, up } = axesOf(pose);
  const eye = eyeOf(pose),
    view = [right, up, back];
  const scale = [...lensOf(aspect), -(END + NEAR) / (END - NEAR)];
  const out = new Float32Array(16);
  for (let c = 0; c < 3; c += 1) {
    for (let r = 0; r < 3; r += 1) out[c * 4 + r] = view[r][c] * scale[r];
    out[c * 4 + 3] = -back[c];
  }
  const move = view.map((axis) => -dot(axis, eye));
  out[12] = move[0] * scale[0];
  out[13] = move[1] * scale[1];
  out[14] = move[2] * scale[2] - (2 * END * NEAR) / (END - NEAR);
  out[15] = -move[2];
  return out;
}

// A point in the picture: [-1..1 from the left, -1..1 from below].
export function seen(m, [x, y, z]) {
  const [a, b, w] = [0, 1, 3].map((r) => m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r]);
  return [a / w, b / w];
}

// The way from the eye through a point of the picture.
export function wayOf(pose, aspect, [x, y]) {
  const { back, right, up } = axesOf(pose);
  const [across, above] = lensOf(aspect);
  return unit(back.map((b, i) => (right[i] * x) / across + (up[i] * y) / above - b));
}

// The point of the ground that a point of the picture shows; null: it shows the sky.
export function groundOf(pose, aspect, at) {
  const eye = eyeOf(pose),
    way = wayOf(pose, aspect, at);
  if (way[1] >= -FLAT) return null;
  const far = -eye[1] / way[1];
  return eye.map((value, i) => value + way[i] * far);
}

// The pose at the same angles that shows `rim` over `share` of the picture, and `tops` within it.
export function fitted({ yaw, pitch }, aspect, rim, tops, share) {
  const all = [...rim, ...tops];
  const middle = [0, 1, 2].map((i) => rim.reduce((sum, one) => sum + one[i], 0) / rim.length);
  const pose = {
    yaw,
    pitch,
    far: 2 * Math.hypot(...rim[0].map((v, i) => v - middle[i])) + 1,
    aim: middle,
  };
  const [across, above] = lensOf(aspect);
  for (let round = 0; round < ROUNDS; round += 1) {
    const m = matrixOf(pose, aspect);
    const span = (points, i) => {
      const values = points.map((one) => seen(m, one)[i]);
      return [Math.min(...values), Math.max(...values)];
    };
    const [left, right] = span(rim, 0),
      [low, high] = span(all, 1);
    const aside = (((left + right) / 2) * pose.far) / across;
    const on = (((low + high) / 2) * pose.far) / above / Math.max(0.2, Math.sin(pitch));
    pose.aim = [
      pose.aim[0] + Math.cos(yaw) * aside - Math.sin(yaw) * on,
      pose.aim[1],
      pose.aim[2] - Math.sin(yaw) * aside - Math.cos(yaw) * on,
    ];
    pose.far *= Math.max((right - left) / 2, (high - low) / 2) / share;
  }
  return pose;
}

// A pose between two, the shorter way round; `share` from 0 to 1.
export function between(from, to, share) {
  const mix = (a, b) => a + (b - a) * share;
  const round = Math.atan2(Math.sin(to.yaw - from.yaw), Math.cos(to.yaw - from.yaw));
  return {
    yaw: from.yaw + round * share,
    pitch: mix(from.pitch, to.pitch),
    far: mix(from.far, to.far),
    aim: from.aim.map((v, i) => mix(v, to.aim[i])),
  };
}
