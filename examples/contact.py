"""A block on a slope of 4:3 with μ = 0.75, one time step: does it slide, and is that proven?"""

import numpy as np
import stiction as st

W = np.eye(3)  # 1/mass
q = 0.0981 * np.array([-0.6, -0.8, 0.0])  # gΔt along n, t1, t2
problem = st.ContactProblem(W, q, 0.75)

solution = st.solve(problem)
print(solution.status)
print("reaction %.6f %.6f N s" % tuple(np.ravel(solution.reactions)[:2]))
print("slips with %.6f m/s" % np.ravel(solution.velocities)[1])

proof = st.certify(problem, solution.reactions)  # from the data alone
print("within 1e-12:", "yes" if proof.relative <= 1e-12 and proof.scaled <= 1e-12 else "no")
