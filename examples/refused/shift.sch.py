sch.transform_layout("shift", "X", lambda i: [(i + 1) % 16], pad_value=0.0)
sch.remove_branching_through_overcompute(block="shift")
