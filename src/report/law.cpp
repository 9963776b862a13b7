// SPDX-License-Identifier: Apache-2.0
//
// The report's sections of the law room: limit curves with their slip directions, the mechanisms
// they come from, and the laws that are not normal.
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "report/report.h"
#include "report/svg.h"
#include "stiction/law.h"
#include "stiction/slip_law.h"

namespace stiction::report {

namespace {

constexpr double card_size = 210;

struct Exhibit {
  std::string name, source;  // source: the law text, or how it is composed
  LimitCurve curve;
};

// The slip that each force answers: arrows at points of the boundary, normal to it.  A vertex shows
// a fan, a flat a row of parallel arrows.
void draw_slips(Plot& plot, const LimitCurve& curve, double length) {
  constexpr long directions = 24;
  const auto draw = [&](const Vec2& f, const Vec2& v) { plot.arrow(f, f + length * v, "slip"); };
  const auto draw_flat = [&](const Vec2& from, const Vec2& to, const Vec2& n) {
    for (const double t : {0.25, 0.5, 0.75}) draw(from + t * (to - from), n);
  };
  for (long k = 0; k < directions; ++k) {
    const Vec2 v = Direction::turn(k, directions).unit();
    const Face face = curve.face(v);
    if (face.kind == Face::Kind::point) draw(face.first, v);
  }
  for (std::size_t i = 0; i < curve.pieces().size(); ++i)
    if (!curve.pieces()[i].arc)
      draw_flat(curve.pieces()[i].from, curve.piece_end(i), curve.pieces()[i].normal);
}

void draw_curve(Plot& plot, const LimitCurve& curve, double mu) {
  plot.cross_hair();
  plot.area(outline(disc(mu)), "disc");
  draw_slips(plot, curve, 0.36 * mu);
  plot.area(outline(curve), "curve");
  if (curve.shape() == LimitCurve::Shape::point) plot.dot(Vec2::Zero(), 3.5, "point");
}

Plot square_plot(double mu) {
  const Range range{-1.85 * mu, 1.85 * mu};
  return {card_size, card_size, range, range, false};
}

// Faces for every slip direction, in pixels, so that the page only shows what was computed here.
std::string face_data(const Plot& plot, const LimitCurve& curve, double mu, long directions) {
  std::string data = "[";
  for (long k = 0; k < directions; ++k) {
    const Vec2 v = Direction::turn(k, directions).unit();
    const Face face = curve.face(v);
    const Vec2 p = plot.pixel(face.first), q = plot.pixel(face.last);
    data += fmt::format("{}[{:.1f},{:.1f},{:.1f},{:.1f},{:.3g}]", k == 0 ? "" : ",", p.x(), p.y(),
                        q.x(), q.y(), curve.support(v) / mu);
  }
  return data + "]";
}

constexpr long slider_directions = 120;

constexpr const char* slider_script = R"js(<script>
(() => {
  const range = document.getElementById('slip-angle'), out = document.getElementById('slip-value');
  const cards = [...document.querySelectorAll('[data-faces]')].map(card => ({
    faces: JSON.parse(card.dataset.faces), svg: card.querySelector('svg'),
    says: card.querySelector('.says')}));
  const make = (svg, css) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    e.setAttribute('class', css); svg.appendChild(e); return e; };
  for (const c of cards) { c.slip = make(c.svg, 'slip bold'); c.force = make(c.svg, 'force wide'); }
  const show = () => {
    const k = +range.value, n = +range.max, a = 2 * Math.PI * k / n, centre = 105, r = 92;
    out.textContent = (360 * k / n) + '°';
    for (const c of cards) {
      const [x1, y1, x2, y2, power] = c.faces[k % n], flat = Math.hypot(x2 - x1, y2 - y1) > 0.5;
      const x = centre + r * Math.cos(a), y = centre - r * Math.sin(a), h = 8;
      const wing = s => `M${x} ${y}L${x - h * Math.cos(a + s)} ${y + h * Math.sin(a + s)}`;
      c.slip.setAttribute('d', `M${centre} ${centre}L${x} ${y}` + wing(0.4) + wing(-0.4));
      c.force.setAttribute('d', `M${x1} ${y1}L${x2 + 0.01} ${y2}`);
      c.says.textContent = `power ${power.toFixed(3)} μ` + (flat ? ', any force on the flat' : '');
    }
  };
  range.addEventListener('input', show); show();
})();
</script>)js";

std::string card(const Exhibit& exhibit, double mu, bool interactive) {
  Plot plot = square_plot(mu);
  draw_curve(plot, exhibit.curve, mu);
  const std::string data =
      interactive
          ? fmt::format(" data-faces='{}'", face_data(plot, exhibit.curve, mu, slider_directions))
          : "";
  return fmt::format("<div class='card'{}>{}<b>{}</b><br><code>{}</code>{}</div>", data, plot.svg(),
                     exhibit.name, exhibit.source, interactive ? "<div class='says'></div>" : "");
}

std::vector<Exhibit> named_laws() {
  const std::vector<std::pair<std::string, std::string>> laws{
      {"Coulomb disc", "disc:0.5"},
      {"ellipse", "ellipse:0.5,0.3,20"},
      {"ideal wheel, skate", "wheel:0.5,30"},
      {"rusty wheel", "rusty:0.5,0.2,30"},
      {"ratcheted wheel", "ratchet:0.5,30"},
      {"wheel of wheels", "free"},
      {"ratcheted wheel of wheels", "ratchet-free:0.5,30"},
      {"pyramid", "pyramid:0.5"},
      {"box", "box:0.5"},
      {"scaled box", "scaled-box:0.5"},
      {"octagon inside", "ngon:0.5,8"},
      {"octagon around", "ngon-out:0.5,8"},
      {"polygon", "polygon:0.5,0;0.1,0.45;-0.4,0.1;-0.2,-0.4"}};
  std::vector<Exhibit> exhibits;
  for (const auto& [name, text] : laws)
    exhibits.push_back({name, text, limit_curve(parse_law(text))});
  return exhibits;
}

// Each mechanism is a cut of the curve of what it stands on.
std::vector<Exhibit> mechanisms() {
  const double mu = 0.5;
  const Direction x = Direction::degrees(0), y = Direction::degrees(90),
                  roller = Direction::degrees(45);
  const LimitCurve foot = disc(mu);
  const LimitCurve ilon = with_bearing(foot, roller);
  return {
      {"wheel, bearing friction, ratchet", "ratchet ∘ bearing(0.3) ∘ disc",
       with_ratchet(with_bearing(foot, x, 0.3), x, 0.1)},
      {"wheel whose rim carries rusty wheels", "bearing(0) ∘ bearing(0.2) ∘ disc",
       with_bearing(with_bearing(foot, y, 0.2), x)},
      {"rusty wheel of rusty wheels", "bearing(0.35) ∘ bearing(0.2) ∘ disc",
       with_bearing(with_bearing(foot, y, 0.2), x, 0.35)},
      {"ratcheted wheel of ratcheted wheels", "ratchet ∘ ratchet ∘ disc",
       with_ratchet(with_ratchet(foot, y), x)},
      {"Ilon's wheel, hub locked", "bearing(0, 45°) ∘ disc", ilon},
      {"Ilon's wheel, hub free", "bearing(0) ∘ bearing(0, 45°) ∘ disc", with_bearing(ilon, x)},
      {"Ilon's wheel, hub ratcheted", "ratchet ∘ bearing(0, 45°) ∘ disc", with_ratchet(ilon, x)},
      {"elliptic tyre on a rusty wheel", "bearing(0.25) ∘ ellipse",
       with_bearing(ellipse(0.5, 0.35, Direction::degrees(60)), x, 0.25)}};
}

std::vector<SlipLaw> non_normal_laws() {
  std::vector<SlipLaw> laws;
  laws.push_back(naive_anisotropy(0.5, 0.2));
  laws.push_back(Castor{ellipse(0.5, 0.25, Direction::degrees(30))}.relaxed());
  laws.back().name = "crooked castor, relaxed";
  laws.push_back(
      Castor{disc(0.35), [](double angle) { return 1 + 0.4 * std::cos(angle); }}.relaxed());
  laws.back().name = "castor with angle-dependent friction, relaxed";
  laws.push_back(orthotropic_tensor(Eigen::Vector2d(0.5, 0.2).asDiagonal()));
  laws.push_back(wedge_asperities(25 * std::numbers::pi / 180, 0.25));
  return laws;
}

std::string non_normal_card(const SlipLaw& law) {
  Plot plot({card_size, card_size, {-0.95, 0.95}, {-0.95, 0.95}, false});
  plot.cross_hair();
  std::vector<Vec2> locus;
  for (long k = 0; k < 360; ++k) locus.push_back(law.force(Direction::turn(k, 360).unit()));
  plot.area(locus, "locus");
  for (long k = 0; k < 360; k += 15) {
    const Vec2 v = Direction::turn(k, 360).unit(), f = law.force(v);
    plot.arrow(f, f + 0.14 * v, "slip");
  }
  const PowerViolation w = worst_power_violation(law);
  plot.arrow(Vec2::Zero(), 0.85 * w.slip, "slip bold");
  plot.arrow(Vec2::Zero(), w.force, "force");
  plot.arrow(Vec2::Zero(), w.other_force, "s4");
  return fmt::format(
      "<div class='card'>{}<b>{}</b><div class='says'>another of its own forces would dissipate "
      "{:.4f} W/N more ({:.0f} %)</div></div>",
      plot.svg(), law.name, w.amount, 100 * w.amount / w.force.dot(w.slip));
}

// The named curves in one picture, for the documentation's front page.
std::string gallery(const std::vector<Exhibit>& exhibits) {
  constexpr int columns = 5;
  const auto rows = (static_cast<int>(exhibits.size()) + columns - 1) / columns;
  constexpr double cell_width = card_size, cell_height = card_size + 26;
  std::string body;
  for (std::size_t i = 0; i < exhibits.size(); ++i) {
    Plot plot = square_plot(0.5);
    draw_curve(plot, exhibits[i].curve, 0.5);
    body += fmt::format(
        "<g transform='translate({:g} {:g})'>{}<text class='name mid' x='{:g}' "
        "y='{:g}'>{}</text></g>",
        cell_width * static_cast<double>(i % columns),
        cell_height * static_cast<double>(i / columns), plot.body(), cell_width / 2, card_size + 14,
        exhibits[i].name);
  }
  return standalone(cell_width * columns, cell_height * rows, body);
}

}  // namespace

std::vector<Chapter> law_chapters(Figures& figures) {
  const double mu = 0.5;
  const std::vector<Exhibit> named = named_laws();
  figures["limit-curves"] = gallery(named);
  figures["mechanisms"] = gallery(mechanisms());

  std::string curves =
      "<div class='equation'>h(v) = max { f·v : f ∈ C },&emsp; f ∈ ∂h(v)<br><small>C: the forces a "
      "point of contact can carry, per unit of normal force. v: its slip. h: the power dissipated."
      "</small></div>"
      "<p>A friction law that dissipates as much as it can is a convex set and its support "
      "function. "
      "Blue: the curve. Orange: the slips that each of its forces answers, always normal to it. A "
      "flat "
      "answers one slip with many forces; a corner answers many slips with one force. Dashed: the "
      "disc "
      "of the same coefficient.</p>"
      "<div class='control'><label for='slip-angle'>Slip direction</label><input id='slip-angle' "
      "type='range' min='0' max='120' value='10'><output id='slip-value'></output><span>"
      "<span class='key' style='background:var(--slip)'></span>slip<span class='key' "
      "style='background:var(--force)'></span>force that answers it</span></div><div "
      "class='cards'>";
  for (const Exhibit& exhibit : named) curves += card(exhibit, mu, true);
  curves +=
      "</div><h3>Mechanisms are cuts</h3><p>A bearing passes on at most its friction along the "
      "roll direction, a ratchet only one sign of it. So a wheel on wheels on wheels is the "
      "contact’s curve cut by one half plane after another: every wheel above, and these.</p>"
      "<div class='cards'>";
  for (const Exhibit& exhibit : mechanisms()) curves += card(exhibit, mu, false);
  curves += "</div>";
  curves += slider_script;

  std::string others =
      "<p>Maximum power says (f − f*)·v ≥ 0 for every force f* the law can give. These laws "
      "violate "
      "it, so they have no support function, no limit surface and no dual cone; the library "
      "represents them, finds the worst witness, and refuses them where normality is needed."
      "<span class='key' style='background:var(--slip)'></span>slip"
      "<span class='key' style='background:var(--force)'></span>the law’s answer"
      "<span class='key' style='background:var(--c4)'></span>its force that would dissipate "
      "more</p>"
      "<div class='cards'>";
  for (const SlipLaw& law : non_normal_laws()) others += non_normal_card(law);
  others += "</div>";
  return {{"limit-curves", "Limit curves", curves},
          {"not-normal", "Laws that are not normal", others}};
}

}  // namespace stiction::report
