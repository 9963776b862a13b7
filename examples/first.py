"""Which force answers this slip, and which reactions can the contact give?"""

import math

import stiction as st

wheel = st.rusty_wheel(0.8, 0.2, math.radians(30))  # μ, bearing, roll
force = wheel.face([1, 0]).points[0]  # slip to the right
print("force on the ground (%.4f, %.4f) per newton" % tuple(force))
print("power dissipated    %.4f W per newton" % wheel.support([1, 0]))

cone = st.FrictionCone(wheel)
wanted = [1, 0.5, 0.5]  # a reaction in the order n, t1, t2
nearest = cone.project(wanted)
print("can it react with (1, 0.5, 0.5)? %s; nearest (%.4f, %.4f, %.4f)"
      % ("yes" if cone.contains(wanted) else "no", *nearest))
