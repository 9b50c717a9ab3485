// The drawing programs: of the sketch, of printed parts, of marks. Light is one function for all.
const LIGHT = `
uniform sampler2D light; uniform vec2 size; uniform vec3 sun; uniform float level;
uniform float night;
uniform vec3 eye; uniform vec3 target;
// Leaves away, but for a grid of dots, what hides the target from the eye.
void cut(vec3 at) {
  vec3 way = eye - target;
  float along = clamp(dot(at - target, way) / dot(way, way), 0.0, 1.0);
  bool hides = at.y > target.y + 0.08 && length(at - target - along * way) < 1.3;
  if (hides && mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 3.0) > 0.0) discard;
}
vec4 shone(vec3 base, vec3 at, vec3 up, float open, float glow) {
  vec2 look = (at.xz + up.xz * 0.07 + 1.0) / (size + 2.0);
  vec2 seen = texture(light, look).rg;
  float hidden = seen.r * 255.0 / 20.0 * level;
  float lit = max(dot(up, sun), 0.0) * (1.0 - smoothstep(-0.04, 0.08, hidden - at.y));
  float sky = open * mix(seen.g, 1.0, clamp(at.y * 0.12, 0.0, 0.5)) * (0.62 + 0.38 * up.y);
  lit = max(lit * mix(0.6, 1.0, open), 0.55 * glow);
  sky = max(sky, 0.8 * glow);
  vec3 tone = vec3(1.0, 0.95, 0.84) * lit * 0.82 + vec3(0.62, 0.66, 0.78) * sky * 0.72;
  tone = base * (tone + 0.10 * max(up.x, 0.0) * open);
  return vec4(pow(clamp(tone * mix(1.0, 0.82, night), 0.0, 1.0), vec3(0.92)), 1.0);
}`;

export const SKETCH = {
  fields: [["place", 3], ["normal", 3], ["colour", 3], ["surface", 1]],
  vertex: `#version 300 es
in vec3 place; in vec3 normal; in vec3 colour; in float surface;
uniform mat4 camera;
out vec3 at; out vec3 up; out vec3 paint; flat out int kind;
void main() {
  at = place; up = normal; paint = colour; kind = int(surface + 0.5);
  gl_Position = camera * vec4(place, 1.0);
}`,
  fragment: `#version 300 es
precision highp float;
in vec3 at; in vec3 up; in vec3 paint; flat in int kind;
uniform vec3 ground;
out vec4 pixel;${LIGHT}
float hash(vec2 p) { return fract(sin(dot(floor(p), vec2(127.1, 311.7))) * 43758.5453); }
float edge(float v, float w) { return 1.0 - smoothstep(w, w + 0.02, min(v, 1.0 - v)); }
void main() {
  if (target.y > -1.0) cut(at);
  vec3 base = paint;
  vec2 flatat = at.xz, tile = fract(flatat);
  float groove = max(edge(tile.x, 0.02), edge(tile.y, 0.02));
  bool top = up.y > 0.9;
  if (kind == 9) {
    vec2 away = max(vec2(0.0), max(-flatat, flatat - size));
    vec2 look = (flatat + 1.0) / (size + 2.0);
    float far = smoothstep(0.0, 0.9, length(away));
    float hidden = texture(light, look).r * 255.0 / 20.0;
    float shade = mix(1.0, smoothstep(-0.1, 0.5, 0.5 - hidden) * 0.22 + 0.78, 1.0 - far);
    base = ground * (1.0 - 0.38 * exp(-2.2 * length(away))) * shade;
    pixel = vec4(base, 1.0);
    return;
  }
  if (top && kind == 1) {
    float s = hash(flatat + 7.0);
    vec2 p = s < 0.5 ? tile : tile.yx;
    float joint = 1.0 - smoothstep(0.0, 0.018, abs(p.x - 0.4 - 0.1 * s));
    if (p.x > 0.45) joint = max(joint, 1.0 - smoothstep(0.0, 0.018, abs(p.y - 0.55)));
    base *= 1.0 - 0.12 * joint - 0.34 * groove;
  } else if (top && kind == 0) {
    base *= 0.95 + 0.09 * hash(flatat * 14.0) - 0.22 * groove;
  } else if (kind == 2) {
    float wave = sin(flatat.x * 13.0 + 2.0 * sin(flatat.y * 5.0)) * sin(flatat.y * 17.0);
    base = mix(base, vec3(0.9, 0.97, 1.0), smoothstep(0.75, 0.95, wave) * 0.6);
  } else if (kind == 3) {
    float crack = abs(sin(flatat.x * 7.0 + 2.0 * sin(flatat.y * 6.0)) + sin(flatat.y * 8.0));
    vec3 crust = mix(base, vec3(0.42, 0.15, 0.08), smoothstep(0.5, 1.4, crack));
    base = mix(vec3(1.0, 0.79, 0.3), crust, smoothstep(0.0, 0.28, crack));
  } else if (!top && kind == 1) {
    float h = at.y / level, f = fract(h);
    float along = abs(up.x) > 0.5 ? at.z : at.x;
    float row = floor(f * 5.0), shift = hash(vec2(row, floor(h)) + 3.0);
    float course = edge(fract(f * 5.0), 0.05) * 0.13;
    float upright = edge(fract(along * 2.2 + shift), 0.02) * 0.13;
    float joint = smoothstep(0.90, 0.925, f) * (1.0 - smoothstep(0.95, 0.965, f));
    base *= 1.0 - max(course, upright) - 0.42 * joint;
    base = mix(base, vec3(1.0, 0.98, 0.9), 0.18 * (1.0 - smoothstep(0.05, 0.07, f)));
  } else if (kind == 4 && top) {
    float gap = max(edge(fract(flatat.x * 4.0), 0.03), 0.0);
    base *= 1.0 - 0.3 * gap + 0.06 * hash(flatat * vec2(4.0, 1.0));
  }
  pixel = shone(base, at, up, 1.0, kind == 3 ? 1.0 : 0.0);
}`,
};

// A printed part: its own frame in mm (x east, y north, z up), set down and turned clockwise.
export const PARTS = {
  vertex: `#version 300 es
layout(location = 0) in vec3 place;
layout(location = 1) in float openness;
layout(location = 2) in vec4 stand;
uniform mat4 camera;
out vec3 at; out float open; flat out float own;
void main() {
  vec3 mm = place / 64.0;
  vec2 turn = stand.w < 0.5 ? vec2(1.0, 0.0) : stand.w < 1.5 ? vec2(0.0, -1.0)
    : stand.w < 2.5 ? vec2(-1.0, 0.0) : vec2(0.0, 1.0);
  vec3 board = vec3(turn.x * mm.x - turn.y * mm.y, turn.y * mm.x + turn.x * mm.y, mm.z) + stand.xyz;
  at = vec3(board.x, board.z, -board.y) / 30.0;
  open = openness;
  own = fract(sin(dot(stand.xyz, vec3(12.9, 78.2, 37.7))) * 43758.5);
  gl_Position = camera * vec4(at, 1.0);
}`,
  fragment: `#version 300 es
precision highp float;
in vec3 at; in float open; flat in float own;
uniform vec3 paint; uniform float glow; uniform float share;
out vec4 pixel;${LIGHT}
void main() {
  if (target.y > -1.0) cut(at);
  vec3 up = normalize(cross(dFdx(at), dFdy(at)));
  vec3 base = paint * (0.965 + 0.07 * own);
  vec3 ember = mix(vec3(1.0, 0.80, 0.32), vec3(0.36, 0.13, 0.08), smoothstep(0.72, 0.98, open));
  base = mix(base, ember, 0.45 * glow);
  // Flat tops have long triangles, over which light worked in at their corners would smear.
  float seen = up.y > 0.95 ? mix(open, 1.0, 0.65) : pow(open, 1.35);
  pixel = shone(base, at, up, seen, glow) * share;
}`,
};

export const MARKS = {
  fields: [["place", 3], ["tint", 4]],
  vertex: `#version 300 es
in vec3 place; in vec4 tint; uniform mat4 camera; out vec4 paint;
void main() {
  paint = tint;
  gl_Position = camera * vec4(place, 1.0);
  gl_Position.z -= 0.0006 * gl_Position.w;
}`,
  fragment: `#version 300 es
precision mediump float;
in vec4 paint; uniform float share; out vec4 pixel;
void main() { float a = paint.a * share; pixel = vec4(paint.rgb * a, a); }`,
};

export function program(gl, { vertex, fragment }) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error("the drawing program does not compile");
  const slots = {};
  return { made, slot: (name) => (slots[name] ??= gl.getUniformLocation(made, name)) };
}
