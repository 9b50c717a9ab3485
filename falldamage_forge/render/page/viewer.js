// A small viewer of the board's real meshes: WebGL 2, no libraries, nothing fetched.
"use strict";
(async function () {
  const canvas = document.getElementById("view");
  const note = document.getElementById("view-note");
  const done = (state, words) => {
    document.documentElement.dataset.view = state;
    if (words) { note.textContent = words; canvas.hidden = true; document.getElementById("view-buttons").hidden = true; }
  };
  // A phone's viewer fetches the scene itself, so it needs a page that is served.
  const phone = document.getElementById("phone");
  if (phone && location.protocol !== "file:") {
    const glb = document.getElementById("phone-glb");
    const back = encodeURIComponent(glb.href);
    if (/Android/.test(navigator.userAgent)) {
      glb.href = `intent://arvr.google.com/scene-viewer/1.0?mode=ar_preferred&file=${back}` +
        `#Intent;scheme=${location.protocol.slice(0, -1)};package=com.google.android.googlequicksearchbox;action=android.intent.action.VIEW;S.browser_fallback_url=${back};end;`;
    }
    phone.hidden = false;
  }
  const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
  if (!gl || typeof DecompressionStream === "undefined") {
    return done("none", "This browser cannot show the board in 3D; the pictures above and below show all of it.");
  }
  const scene = JSON.parse(document.getElementById("scene").textContent);
  let bytes;
  try { bytes = await unpack(scene.data); } catch (error) { return done("none", "The 3D data cannot be read."); }

  async function unpack(text) {
    const raw = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  }
  function shader(kind, source) {
    const made = gl.createShader(kind);
    gl.shaderSource(made, source);
    gl.compileShader(made);
    if (!gl.getShaderParameter(made, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(made));
    return made;
  }
  const program = gl.createProgram();
  gl.attachShader(program, shader(gl.VERTEX_SHADER, `#version 300 es
    in vec3 place; uniform mat4 model, view; out vec3 spot;
    void main() { vec4 at = model * vec4(place, 1.0); spot = at.xyz; gl_Position = view * at; }`));
  gl.attachShader(program, shader(gl.FRAGMENT_SHADER, `#version 300 es
    precision highp float; in vec3 spot; uniform vec4 colour; uniform float ground; out vec4 ink;
    void main() {
      vec3 normal = normalize(cross(dFdx(spot), dFdy(spot)));
      float sun = max(dot(normal, normalize(vec3(-0.55, -0.35, 0.8))), 0.0);
      float sky = 0.5 + 0.5 * normal.z;
      vec3 base = colour.rgb;
      if (ground > 0.5) {
        float level = clamp((spot.z - 2.0) / 150.0, 0.0, 1.0);
        vec3 top = mix(vec3(0.86, 0.78, 0.58), vec3(0.97, 0.94, 0.87), level);
        base = mix(base, top, smoothstep(0.6, 0.9, normal.z));
        base *= 1.0 - 0.10 * step(0.965, fract(spot.z / 30.0 + 0.0175)) * (1.0 - smoothstep(0.3, 0.6, abs(normal.z)));
      }
      ink = vec4(base * (0.46 + 0.24 * sky + 0.42 * sun), colour.a);
    }`));
  gl.linkProgram(program);
  gl.useProgram(program);
  const at = (name) => gl.getUniformLocation(program, name);
  const uniform = { model: at("model"), view: at("view"), colour: at("colour"), ground: at("ground") };

  function upload(places, corners) {
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, places, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(gl.getAttribLocation(program, "place"), 3, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.STATIC_DRAW);
    return { array, count: corners.length };
  }
  gl.bindAttribLocation(program, 0, "place");
  const half = bytes.byteLength / 2, planes = new Uint8Array(bytes);
  const numbers = Int16Array.from({ length: half }, (_, i) => planes[i] | (planes[half + i] << 8));
  let offset = 0;
  const pieces = scene.pieces.map((piece) => {
    const places = new Float32Array(piece.vertices * 3);
    const steps = numbers.subarray(offset, offset += piece.vertices * 3);
    for (let axis = 0; axis < 3; axis++) {
      for (let i = 0, sum = 0; i < piece.vertices; i++) {
        sum += steps[axis * piece.vertices + i];
        places[i * 3 + axis] = sum * scene.unit_mm;
      }
    }
    const jumps = numbers.subarray(offset, offset += piece.faces * 3);
    const corners = new Uint32Array(piece.faces * 3);
    for (let i = 0, sum = 0; i < corners.length; i++) corners[i] = sum = (sum + jumps[i]) & 65535;
    return Object.assign(upload(places, corners), { colour: piece.colour, ground: piece.ground, uses: piece.uses });
  });
  const plate = upload(new Float32Array([2, -2, 0, 28, -2, 0, 28, -28, 0, 2, -28, 0]), new Uint32Array([0, 2, 1, 0, 3, 2]));

  const home = { turn: -0.7, tilt: 0.75, far: 1.0 };
  const eye = Object.assign({}, home);
  let marks = [];
  function times(a, b) {
    const out = new Float32Array(16);
    for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) {
      for (let k = 0; k < 4; k++) out[c * 4 + r] += a[k * 4 + r] * b[c * 4 + k];
    }
    return out;
  }
  function camera() {
    const [wide, deep, high] = scene.size_mm;
    const reach = Math.hypot(wide, deep, high) * 0.43 * eye.far;
    const [ct, st, cp, sp] = [Math.cos(eye.turn), Math.sin(eye.turn), Math.cos(eye.tilt), Math.sin(eye.tilt)];
    const aspect = canvas.width / canvas.height;
    const fit = Math.min(1, aspect) / reach;
    const move = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -wide / 2, deep / 2, -high / 4, 1]);
    const turn = new Float32Array([ct, st * sp, -st * cp, 0, -st, ct * sp, -ct * cp, 0, 0, cp, sp, 0, 0, 0, 0, 1]);
    const lens = new Float32Array([fit / aspect, 0, 0, 0, 0, fit, 0, 0, 0, 0, -0.3 / reach, 0, 0, 0, 0, 1]);
    return times(lens, times(turn, move));
  }
  function draw() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [wide, high] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== wide || canvas.height !== high) { canvas.width = wide; canvas.height = high; }
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0.9, 0.87, 0.8, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.uniformMatrix4fv(uniform.view, false, camera());
    for (const piece of pieces) {
      gl.bindVertexArray(piece.array);
      gl.uniform4f(uniform.colour, ...piece.colour, 1);
      gl.uniform1f(uniform.ground, piece.ground ? 1 : 0);
      for (const use of piece.uses) {
        gl.uniformMatrix4fv(uniform.model, false, use);
        gl.drawElements(gl.TRIANGLES, piece.count, gl.UNSIGNED_INT, 0);
      }
    }
    gl.bindVertexArray(plate.array);
    gl.uniform1f(uniform.ground, 0);
    for (const [row, col, level, red, green, blue] of marks) {
      gl.uniform4f(uniform.colour, red, green, blue, 1);
      gl.uniformMatrix4fv(uniform.model, false, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
        col * scene.pitch_mm, -row * scene.pitch_mm, level * scene.rise_mm + 1.2, 1]);
      gl.drawElements(gl.TRIANGLES, plate.count, gl.UNSIGNED_INT, 0);
    }
  }
  let waiting = false;
  function refresh() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  }
  const moves = {
    ArrowLeft: () => { eye.turn -= 0.15; }, ArrowRight: () => { eye.turn += 0.15; },
    ArrowUp: () => { eye.tilt = Math.min(1.57, eye.tilt + 0.1); },
    ArrowDown: () => { eye.tilt = Math.max(0.1, eye.tilt - 0.1); },
    "+": () => { eye.far = Math.max(0.2, eye.far / 1.15); }, "-": () => { eye.far = Math.min(3, eye.far * 1.15); },
    Back: () => { eye.turn += Math.PI; }, Top: () => { eye.tilt = 1.57; },
    Home: () => { Object.assign(eye, home); },
  };
  function act(name) {
    if (!moves[name]) return false;
    moves[name]();
    refresh();
    return true;
  }
  canvas.addEventListener("keydown", (event) => { if (act(event.key === "=" ? "+" : event.key)) event.preventDefault(); });
  for (const button of document.querySelectorAll("#view-buttons button")) {
    button.addEventListener("click", () => act(button.dataset.act));
  }
  canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener("pointermove", (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    eye.turn += event.movementX * 0.01;
    eye.tilt = Math.min(1.57, Math.max(0.1, eye.tilt + event.movementY * 0.01));
    refresh();
  });
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); act(event.deltaY > 0 ? "-" : "+"); }, { passive: false });
  window.addEventListener("resize", refresh);
  for (const choice of document.querySelectorAll("input[name=overlay]")) {
    choice.addEventListener("change", () => { marks = scene.overlays[choice.value] || []; refresh(); });
    if (choice.checked) marks = scene.overlays[choice.value] || [];
  }
  draw();
  done("ready");
})();
