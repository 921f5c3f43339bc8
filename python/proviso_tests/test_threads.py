import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import proviso
from common import COPY, EXAMPLES

A = np.arange(135, dtype="float32").reshape(5, 27)


def work(number):
    lowered = proviso.parse(EXAMPLES / "row_sum.py").lower(EXAMPLES / "row_sum.sch.py")
    refused = ""
    try:
        proviso.parse(EXAMPLES / "row_sum.py").lower('sch.parallel(sch.loop("j"))')
    except proviso.Refused as e:
        refused = e.message
    return (lowered.text, lowered.log.bytes, lowered.run(A=A + number)["S"].tolist(), refused,
            proviso.prove(f"x * x >= x + {number}", given=["x >= 0"]).verdict,
            str(proviso.simplify(f"(x * 8 + {number % 4}) // 4", given=["x >= 0", "x < 9"])),
            proviso.check(COPY, COPY).verdict)


class Threads(unittest.TestCase):
    def test_threads_do_not_meet(self):
        alone = [work(n) for n in range(6)]
        with ThreadPoolExecutor(6) as pool:
            self.assertEqual(list(pool.map(work, range(6))), alone)

    def test_threads_share_what_was_lowered(self):
        program = proviso.parse(EXAMPLES / "row_sum.py")
        lowered = program.lower(EXAMPLES / "row_sum.sch.py")

        def use(number):
            return (lowered.run(A=A * number)["S"].tolist(), lowered.log.bytes, lowered.code,
                    program.lower().text)

        alone = [use(n) for n in range(4)]
        with ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(use, range(4))), alone)

    def test_others_go_on_while_one_works(self):
        began, ended = [], []

        def compare():
            began.append(time.monotonic())
            proviso.check(EXAMPLES / "row_sum.py", EXAMPLES / "row_sum.py", no_proof=True, tests=20000)
            ended.append(time.monotonic())

        thread = threading.Thread(target=compare)
        thread.start()
        seen = []
        while thread.is_alive():
            time.sleep(0.005)
            seen.append(time.monotonic())
        thread.join()
        took = ended[0] - began[0]
        self.assertGreater(took, 0.1)
        # trap: with the lock held, nothing is seen between the first moments and the end
        self.assertTrue([t for t in seen if began[0] + took / 4 < t < ended[0] - took / 4])


if __name__ == "__main__":
    unittest.main()
