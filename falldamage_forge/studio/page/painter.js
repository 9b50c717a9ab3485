// Paints the sketch, the printed parts and the marks by WebGL.
import { unit } from "./camera.js";
import { SUN } from "./light.js";
import { MARKS, SKETCH, program } from "./shaders.js";
import { UP } from "./shapes.js";

export class Painter {
  constructor(gl) {
    this.gl = gl;
    this.table = this.layer(SKETCH);
    this.marking = this.layer(MARKS);
    this.texture = gl.createTexture();
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  // A drawing program with a buffer of its own for vertices of floats.
  layer(source) {
    const { gl } = this;
    const { made, slot } = program(gl, source);
    const array = gl.createVertexArray(),
      buffer = gl.createBuffer();
    const stride = source.fields.reduce((sum, [, size]) => sum + size, 0);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    let offset = 0;
    for (const [name, size] of source.fields) {
      const at = gl.getAttribLocation(made, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride * 4, offset * 4);
      offset += size;
    }
    return { made, slot, array, buffer, stride, count: 0 };
  }

  fill(layer, data) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, layer.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    layer.count = data.length / layer.stride;
  }

  // The light of a board, from `lightOf`.
  lit({ data, wide, deep }) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, wide, deep, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.LINEAR);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  }

  sketch(data) {
    this.fill(this.table, data);
  }

  // One picture: `scene` has the size in pixels, the board's in tiles, the camera, what it looks at
  // and the colours; `parts` are the printed ones, `marks` triangles over all.
  paint(scene, parts, marks) {
    const { gl, table, marking } = this;
    gl.viewport(0, 0, ...scene.size);
    gl.clearColor(...scene.ground, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const light = ({ slot }) => this.light(slot, scene);
    gl.useProgram(table.made);
    light(table);
    gl.uniform3fv(table.slot("ground"), scene.ground);
    gl.bindVertexArray(table.array);
    gl.drawArrays(gl.TRIANGLES, 0, table.count);
    parts.draw(light);
    this.fill(marking, marks);
    if (!marking.count) return;
    gl.useProgram(marking.made);
    gl.bindVertexArray(marking.array);
    gl.uniformMatrix4fv(marking.slot("camera"), false, scene.camera);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.disable(gl.DEPTH_TEST); // faint through all that hides a mark
    gl.uniform1f(marking.slot("share"), 0.3);
    gl.drawArrays(gl.TRIANGLES, 0, marking.count);
    gl.enable(gl.DEPTH_TEST);
    gl.uniform1f(marking.slot("share"), 1);
    gl.drawArrays(gl.TRIANGLES, 0, marking.count);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  light(slot, { board, camera, eye, target, dark }) {
    const { gl } = this;
    gl.uniformMatrix4fv(slot("camera"), false, camera);
    gl.uniform2f(slot("size"), ...board);
    gl.uniform3fv(slot("sun"), unit(SUN));
    gl.uniform1f(slot("level"), UP);
    gl.uniform1f(slot("night"), dark ? 1 : 0);
    gl.uniform3fv(slot("eye"), eye);
    gl.uniform3fv(slot("target"), target);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
  }
}
