"""Where does a tray with one rubber foot go?"""

import stiction as st

base = [[-0.2, -0.15], [0.2, -0.15], [0.2, 0.15], [-0.2, 0.15]]
tray = st.Slider([st.polygon_support(base, 15, st.disc(0.2)), st.point([0.15, 0.1], 4.62, st.disc(0.9))])

straight = tray.load([0, 1, 0])
print("moving along y takes    %.3f N and %.4f N m" % (straight.load[1], straight.load[2]))

pushed = tray.motion([0, 3, 0])
print("3 N at the middle       %.1f %% of what friction holds" % (100 * pushed.gauge))
print("it would turn about     (%.2f, %.2f), its foot" % tuple(pushed.rotation_centre))

turning = tray.load(pushed.motion)
print("a turn about its foot   has %s load" % ("one" if turning.unique else "more than one"))
