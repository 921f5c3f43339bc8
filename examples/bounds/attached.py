# Tensor expressions, and a schedule of them: P is computed in a loop of its consumer.
from tvm import te

P = te.compute((6, 10), lambda i, j: te.const(7), name="P")
Q = te.compute((6, 10), lambda i, j: P[i, j] * 2, name="Q")

s = te.create_schedule(Q.op)
qo, qi = s[Q].split(Q.op.axis[1], factor=5)
s[P].compute_at(s[Q], qo)
