"""Can a rod that is pushed over the floor jam?"""

from math import radians

import stiction as st

for angle in (45, 63.4349, 80):
    cone = st.generalized_cone(st.rod_delassus(radians(angle)), 1.5)
    can = ", so it can jam" if cone.jam else ""
    print("%7.4f degrees: holds from %.3f, jams from %.3f%s" % (angle, cone.mu_crit, cone.mu_jam, can))

steep = st.generalized_cone(st.rod_delassus(radians(63.4349)), 1.5)
print("sliding, pressed down:", steep.regime([1, 0], -9.81))
print("sliding, spun up:     ", steep.regime([1, 0], 2.0))
