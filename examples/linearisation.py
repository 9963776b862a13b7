"""What does an engine lose with a linearised cone?"""

import numpy as np
import stiction as st

mu = 0.5
print("%-8s %9s %11s %9s" % ("law", "too weak", "too strong", "distance"))
for name, curve in [("disc", st.disc(mu)), ("pyramid", st.pyramid(mu)), ("box", st.box(mu)),
                    ("octagon", st.ngon(mu, 8))]:
    error = st.cone_quality(curve, mu=mu)
    block = st.throw_block(curve, mu, [2.719, 1.268], steps=2000)  # 3 m/s at 25°
    distance = np.linalg.norm(block.path[-1])
    print("%-8s %8.2f%% %10.2f%% %7.3f m" % (name, 100 * error.under, 100 * error.over, distance))
