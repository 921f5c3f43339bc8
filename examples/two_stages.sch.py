from tiles import tile
io, jo, ii, ji = tile(sch, "twice", size=8)
sch.parallel(io)
sch.vectorize(ji)
sch.like("shifted", "twice")
