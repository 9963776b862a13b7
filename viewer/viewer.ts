// SPDX-License-Identifier: Apache-2.0
//
// Surfaces, lines and labelled points in space.  A page holds
//
//   <div class="viewer"><script type="application/json">SPEC</script> anything shown instead </div>
//
// and every such element becomes a picture that is turned with mouse, touch or keys.  SPEC is a
// `Spec` below.  Data keep their units: each axis has its range, and `scale` says how long a unit of
// it is drawn.  Colours are names of the page's CSS variables, so that the picture follows its light
// and dark.  Where there is no WebGL the page is left as it is.
//
// One WebGL context draws every picture of the page, on demand, into the pictures' own canvases.
import {
  AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, Group, Line,
  LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshLambertMaterial, PerspectiveCamera,
  Scene, SphereGeometry, Vector3, WebGLRenderer,
} from 'three';

interface Axis { label: string; unit: string; from: number; to: number; scale: number }
interface Surface {
  vertices: number[];    // x, y, z of each, in data units
  normals?: number[];    // outward, in the drawn space; computed where not given
  triangles: number[];
  color: string;         // CSS variable, without the dashes
  opacity?: number;
}
interface Curve { points: number[]; color: string; closed?: boolean }
interface Point { at: number[]; label?: string; color: string; normal?: number[] }
interface Spec {
  title: string;         // for those who cannot see it
  axes: Axis[];
  meshes?: Surface[];
  lines?: Curve[];
  points?: Point[];
  view?: number[];       // direction from which it is seen first
}

const home = [1.1, -1.6, 0.8];
const field = 32;  // of view, degrees

let shared: WebGLRenderer | undefined;
const pictures: Picture[] = [];

function renderer(): WebGLRenderer {
  shared ??= new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  return shared;
}

// Round numbers within a range: about five of them.
function ticks(from: number, to: number): number[] {
  const rough = (to - from) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map(k => k * power).find(s => s >= rough * 0.99) ?? rough;
  const out = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; ++k) out.push(k * step);
  return out;
}
const shown = (x: number) => String(+x.toPrecision(6)).replace('-', '−');

class Picture {
  private scene = new Scene();
  private camera = new PerspectiveCamera(field, 1, 0.01, 100);
  private canvas = document.createElement('canvas');
  private layer = document.createElement('div');
  private azimuth = 0;
  private height = 0;
  private distance = 1;
  private radius = 1;
  private centre = new Vector3();
  private half = new Vector3();
  private scale: Vector3;
  private coloured: { apply: (name: (css: string) => Color) => void }[] = [];
  private boxEdges: { line: Line; axis: number; a: Vector3; b: Vector3 }[] = [];
  private axisLabels: HTMLElement[] = [];
  private tickLabels: { element: HTMLElement; axis: number; at: number }[] = [];
  private pointLabels: { element: HTMLElement; at: Vector3; normal?: Vector3 }[] = [];
  private light = new DirectionalLight(0xffffff, 2.2);
  private pending = false;

  constructor(private root: HTMLElement, private spec: Spec) {
    this.scale = new Vector3(spec.axes[0].scale, spec.axes[1].scale, spec.axes[2].scale);
    const low = this.place(spec.axes.map(a => a.from)), high = this.place(spec.axes.map(a => a.to));
    this.centre.addVectors(low, high).multiplyScalar(0.5);
    this.half.subVectors(high, low).multiplyScalar(0.5);
    this.radius = this.half.length();
    this.camera.up.set(0, 0, 1);
    this.build();
    this.page();
    this.reset();
    new ResizeObserver(() => this.ask()).observe(root);
  }

  private place(p: number[]): Vector3 {
    return new Vector3(p[0], p[1], p[2]).multiply(this.scale);
  }

  private build() {
    this.scene.add(new AmbientLight(0xffffff, 1.1), this.light, this.light.target);
    for (const s of this.spec.meshes ?? []) {
      const geometry = new BufferGeometry();
      const places = new Float32Array(s.vertices.length);
      for (let i = 0; i < places.length; ++i)
        places[i] = s.vertices[i] * this.scale.getComponent(i % 3);
      geometry.setAttribute('position', new BufferAttribute(places, 3));
      geometry.setIndex(s.triangles);
      if (s.normals)
        geometry.setAttribute('normal', new BufferAttribute(new Float32Array(s.normals), 3));
      else geometry.computeVertexNormals();
      const clear = (s.opacity ?? 1) < 1;
      const material = new MeshLambertMaterial({
        side: DoubleSide, transparent: clear, opacity: s.opacity ?? 1, depthWrite: !clear,
        polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
      });
      this.coloured.push({ apply: name => material.color.copy(name(s.color)) });
      this.scene.add(new Mesh(geometry, material));
    }
    for (const c of this.spec.lines ?? []) {
      const points = [];
      for (let i = 0; i + 2 < c.points.length; i += 3) points.push(this.place(c.points.slice(i, i + 3)));
      if (c.closed) points.push(points[0]);
      const material = new LineBasicMaterial();
      this.coloured.push({ apply: name => material.color.copy(name(c.color)) });
      this.scene.add(new Line(new BufferGeometry().setFromPoints(points), material));
    }
    const ball = new SphereGeometry(0.014 * this.radius, 20, 12);
    for (const p of this.spec.points ?? []) {
      const material = new MeshBasicMaterial();
      this.coloured.push({ apply: name => material.color.copy(name(p.color)) });
      const mesh = new Mesh(ball, material);
      mesh.position.copy(this.place(p.at));
      this.scene.add(mesh);
    }
    const frame = new Group(), material = new LineBasicMaterial();
    this.coloured.push({ apply: name => material.color.copy(name('soft')) });
    for (let axis = 0; axis < 3; ++axis)
      for (const [s, t] of [[-1, -1], [-1, 1], [1, 1], [1, -1]]) {
        const a = this.centre.clone(), b = this.centre.clone();
        const u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (const [p, sign] of [[a, -1], [b, 1]] as [Vector3, number][]) {
          p.setComponent(axis, p.getComponent(axis) + sign * this.half.getComponent(axis));
          p.setComponent(u, p.getComponent(u) + s * this.half.getComponent(u));
          p.setComponent(v, p.getComponent(v) + t * this.half.getComponent(v));
        }
        const line = new LineSegments(new BufferGeometry().setFromPoints([a, b]), material);
        this.boxEdges.push({ line, axis, a, b });
        frame.add(line);
      }
    this.scene.add(frame);
  }

  private text(css: string, content: string): HTMLElement {
    const element = document.createElement('span');
    element.className = css;
    content.split(/_(\w)/).forEach((part, k) => {  // F_x: x is written below the line
      const piece = k % 2 ? document.createElement('sub') : document.createTextNode('');
      piece.textContent = part;
      element.append(piece);
    });
    this.layer.append(element);
    return element;
  }

  private page() {
    this.root.replaceChildren(this.canvas, this.layer);
    this.root.classList.add('live');
    this.root.tabIndex = 0;
    this.root.setAttribute('role', 'img');
    this.root.setAttribute('aria-label', this.spec.title);
    this.layer.className = 'labels';
    this.spec.axes.forEach((axis, k) => {
      this.axisLabels.push(this.text('axis', axis.unit ? `${axis.label} [${axis.unit}]` : axis.label));
      for (const at of ticks(axis.from, axis.to))
        this.tickLabels.push({ element: this.text('number', shown(at)), axis: k, at: at * axis.scale });
    });
    for (const p of this.spec.points ?? [])
      if (p.label)
        this.pointLabels.push({ element: this.text('point', p.label), at: this.place(p.at),
                                normal: p.normal && new Vector3(...p.normal as [number, number, number]) });
    const hint = document.createElement('button');
    hint.type = 'button';
    hint.title = 'Drag to turn; pinch, or scroll after a click, to zoom; arrows, + and − do the same; R resets';
    hint.textContent = 'reset view';
    hint.addEventListener('click', () => this.reset());
    this.root.append(hint);
    this.controls();
  }

  private controls() {
    const touches = new Map<number, { x: number; y: number }>();
    const spread = () => {
      const [a, b] = [...touches.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    this.canvas.addEventListener('pointerdown', e => {
      this.canvas.setPointerCapture(e.pointerId);
      touches.set(e.pointerId, { x: e.clientX, y: e.clientY });
      this.root.focus({ preventScroll: true });
      e.preventDefault();
    });
    this.canvas.addEventListener('pointermove', e => {
      const last = touches.get(e.pointerId);
      if (!last) return;
      const before = touches.size === 2 ? spread() : 0;
      const dx = e.clientX - last.x, dy = e.clientY - last.y;
      touches.set(e.pointerId, { x: e.clientX, y: e.clientY });
      if (touches.size === 2) this.zoom(before / Math.max(1, spread()));
      else this.turn(-dx / 150, dy / 150);
    });
    for (const end of ['pointerup', 'pointercancel'] as const)
      this.canvas.addEventListener(end, e => touches.delete(e.pointerId));
    this.canvas.addEventListener('wheel', e => {
      if (document.activeElement !== this.root && !e.ctrlKey) return;  // the page scrolls
      e.preventDefault();
      this.zoom(Math.exp(e.deltaY / 600));
    }, { passive: false });
    this.canvas.addEventListener('dblclick', () => this.reset());
    this.root.addEventListener('keydown', e => {
      const keys: Record<string, () => void> = {
        ArrowLeft: () => this.turn(-0.1, 0), ArrowRight: () => this.turn(0.1, 0),
        ArrowUp: () => this.turn(0, 0.1), ArrowDown: () => this.turn(0, -0.1),
        '+': () => this.zoom(0.9), '=': () => this.zoom(0.9), '-': () => this.zoom(1 / 0.9),
        r: () => this.reset(), R: () => this.reset(), Home: () => this.reset(),
      };
      if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      keys[e.key]();
      e.preventDefault();
    });
  }

  private reset() {
    const [x, y, z] = this.spec.view ?? home;
    this.azimuth = Math.atan2(y, x);
    this.height = Math.atan2(z, Math.hypot(x, y));
    this.distance = 1;
    this.ask();
  }
  private turn(azimuth: number, height: number) {
    this.azimuth += azimuth;
    this.height = Math.min(1.55, Math.max(-1.55, this.height + height));
    this.ask();
  }
  private zoom(factor: number) {
    this.distance = Math.min(3, Math.max(0.25, this.distance * factor));
    this.ask();
  }

  ask() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.draw(); });
  }

  private draw() {
    const width = this.root.clientWidth, height = this.root.clientHeight;
    if (width === 0 || height === 0) return;
    const style = getComputedStyle(this.root);
    const name = (css: string) => new Color().setStyle(style.getPropertyValue('--' + css).trim() || '#888');
    for (const c of this.coloured) c.apply(name);
    const away = new Vector3(Math.cos(this.azimuth) * Math.cos(this.height),
                             Math.sin(this.azimuth) * Math.cos(this.height), Math.sin(this.height));
    // Far enough to see the whole box, with room for labels, in the narrower direction.
    const angle = Math.min(field, 2 * Math.atan(Math.tan(field * Math.PI / 360) * width / height) * 180 / Math.PI);
    const fit = 0.97 * this.radius / Math.sin(angle * Math.PI / 360);
    this.camera.position.copy(this.centre).addScaledVector(away, fit * this.distance);
    this.camera.near = 0.02 * fit;
    this.camera.far = 6 * fit;
    this.camera.aspect = width / height;
    this.camera.lookAt(this.centre);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.light.target.position.copy(this.centre);
    this.light.position.copy(this.camera.position).addScaledVector(right, -fit * 0.5).addScaledVector(up, fit * 0.6);
    this.labels(width, height, away);
    const gl = renderer(), ratio = Math.min(2, window.devicePixelRatio || 1);
    gl.setPixelRatio(ratio);
    gl.setSize(width, height, false);
    gl.setClearColor(0x000000, 0);
    gl.render(this.scene, this.camera);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.getContext('2d')?.drawImage(gl.domElement, 0, 0);
  }

  private labels(width: number, height: number, away: Vector3) {
    const pixel = (p: Vector3) => {
      const q = p.clone().project(this.camera);
      return { x: (q.x + 1) / 2 * width, y: (1 - q.y) / 2 * height };
    };
    const put = (element: HTMLElement, x: number, y: number) => {
      x = Math.min(width - 36, Math.max(36, x));
      y = Math.min(height - 12, Math.max(12, y));
      element.style.transform = `translate(-50%,-50%) translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`;
    };
    const middle = pixel(this.centre);
    // Edges at the back of the box are drawn; the numbers stand along one on its outline.
    for (let axis = 0; axis < 3; ++axis) {
      let best: typeof this.boxEdges[number] | undefined, most = -Infinity;
      for (const edge of this.boxEdges.filter(e => e.axis === axis)) {
        const out = edge.a.clone().add(edge.b).multiplyScalar(0.5).sub(this.centre);
        let facing = 0;
        for (let k = 0; k < 3; ++k)
          if (k !== axis && out.getComponent(k) * away.getComponent(k) > 0) ++facing;
        edge.line.visible = facing < 2;
        const at = pixel(edge.a.clone().add(edge.b).multiplyScalar(0.5));
        const score = facing === 1 ? (axis === 2 ? middle.x - at.x : at.y - middle.y) : -1e9;
        if (score > most) { most = score; best = edge; }
      }
      if (!best) continue;
      const p = pixel(best.a), q = pixel(best.b);
      const length = Math.hypot(q.x - p.x, q.y - p.y);
      let nx = (q.y - p.y) / (length || 1), ny = -(q.x - p.x) / (length || 1);
      const cx = (p.x + q.x) / 2, cy = (p.y + q.y) / 2;
      if (nx * (cx - middle.x) + ny * (cy - middle.y) < 0) { nx = -nx; ny = -ny; }
      const readable = length > 60;  // not seen end on
      const top = p.y < q.y ? p : q;  // the upright axis has its name above it
      if (axis === 2) put(this.axisLabels[axis], top.x, top.y - 16);
      else put(this.axisLabels[axis], cx + 62 * nx, cy + 38 * ny);
      this.axisLabels[axis].style.opacity = readable ? '1' : '0';
      const ticks = this.tickLabels.filter(t => t.axis === axis);
      const every = length < 22 * ticks.length ? 2 : 1;  // those that have room
      ticks.forEach((tick, k) => {
        const s = pixel(best!.a.clone().setComponent(axis, tick.at));
        put(tick.element, s.x + 16 * nx, s.y + 13 * ny);
        tick.element.style.opacity = readable && k % every === 0 ? '1' : '0';
      });
    }
    // Outwards of its point, or a line or two above or below where another label is; hidden if none
    // of these is free.
    const taken: { x: number; y: number; w: number }[] = [];
    for (const p of this.pointLabels) {
      const s = pixel(p.at), dx = s.x - middle.x, dy = s.y - middle.y, d = Math.hypot(dx, dy) || 1;
      const w = p.element.offsetWidth / 2, line = p.element.offsetHeight;
      const x = Math.min(width - w, Math.max(w, s.x + (w + 10) * dx / d));  // beside it, not on it
      const y = s.y + (d > 12 ? 18 * dy / d : -16);
      const free = [0, -1, 1, -2, 2].map(k => y + k * line).find(
        at => taken.every(t => Math.abs(t.x - x) > t.w + w || Math.abs(t.y - at) >= line));
      const behind = p.normal && p.normal.dot(away) < -0.05 * p.normal.length();
      p.element.style.opacity = behind || free === undefined ? '0' : '1';
      put(p.element, x, free ?? y);
      if (!behind && free !== undefined) taken.push({ x, y: free, w });
    }
  }
}

function start() {
  for (const root of document.querySelectorAll<HTMLElement>('div.viewer')) {
    const text = root.querySelector('script[type="application/json"]')?.textContent;
    if (!text || root.classList.contains('live')) continue;
    try {
      renderer();
    } catch {
      return;  // no WebGL: what the page shows instead stays
    }
    pictures.push(new Picture(root, JSON.parse(text) as Spec));
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => pictures.forEach(p => p.ask()));
  window.addEventListener('resize', () => pictures.forEach(p => p.ask()));
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
