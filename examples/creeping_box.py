# SPDX-License-Identifier: Apache-2.0
"""A box at rest on a slope of 20°, with μ = 0.6 > tan 20°: it should stay.

MuJoCo's contacts are soft and friction gives way a little, so the box creeps.  The exact solution of
the same contacts does not move.
"""

import mujoco
import numpy as np
import stiction as st

slope = np.radians(20)
gravity = 9.81 * np.array([np.sin(slope), 0, -np.cos(slope)])
model = mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option timestep="0.002" gravity="{gravity[0]} 0 {gravity[2]}"/>
  <worldbody>
    <geom type="plane" size="5 5 1" friction="0.6"/>
    <body pos="0 0 0.1">
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.1" mass="1" friction="0.6" margin="0.001"/>
    </body>
  </worldbody>
</mujoco>""")
seconds = 5.0
steps = round(seconds / model.opt.timestep)

soft = mujoco.MjData(model)
for _ in range(steps):
    mujoco.mj_step(model, soft)

exact = mujoco.MjData(model)
worst = 0.0
for _ in range(steps):
    scene = st.from_mujoco(model, exact)
    worst = max(worst, scene.solution.certificate.relative)
    exact.qvel[:] = scene.velocity
    mujoco.mj_integratePos(model, exact.qpos, exact.qvel, model.opt.timestep)

print(f"after {seconds:g} s on a slope of 20 degrees with mu = 0.6")
print(f"  MuJoCo   crept {1e3 * soft.qpos[0]:.3f} mm")
print(f"  exact    moved {1e3 * abs(exact.qpos[0]):.3f} mm (largest relative error {worst:.0e})")
assert soft.qpos[0] > 1e-4 and abs(exact.qpos[0]) < 1e-9
