package operator

// scattered are the edges of a network whose runs are as short as an edge, as those between the classes of a symmetric target are: by state,
// the states at the other ends. They stand twice, so that each state gathers what it gains and any number of workers can share the work, with
// the same sums.
type scattered struct {
	start       []int32   // of the edges of each state
	to          []int32   // the other end
	there, back []float64 // the probabilities with which a member here proposes there, and one there proposes here
}

// shortRuns is the mean number of edges in a run below which the runs of a network cost more than the edges.
const shortRuns = 4

// scatter returns the edges of a network by state where its runs are short, and nil where they are not.
func (e *network) scatter() *scattered {
	if len(e.share) >= shortRuns*len(e.runs) {
		return nil
	}
	states := len(e.outside)
	s := &scattered{start: make([]int32, states+1)}
	e.ends(func(x, y, _ int) { s.start[x+1]++; s.start[y+1]++ })
	for x := range states {
		s.start[x+1] += s.start[x]
	}
	count := s.start[states]
	s.to, s.there, s.back = make([]int32, count), make([]float64, count), make([]float64, count)
	next := append([]int32(nil), s.start[:states]...)
	e.ends(func(x, y, edge int) {
		s.to[next[x]], s.there[next[x]], s.back[next[x]] = int32(y), e.share[edge], e.back[edge]
		s.to[next[y]], s.there[next[y]], s.back[next[y]] = int32(x), e.back[edge], e.share[edge]
		next[x]++
		next[y]++
	})
	return s
}

// ends calls what with the two ends and the number of each edge that has a share.
func (e *network) ends(what func(x, y, edge int)) {
	edge := 0
	for _, r := range e.runs {
		for i := range r.n {
			if e.share[edge] > 0 || e.back[edge] > 0 {
				what(r.x+i, r.y+i, edge)
			}
			edge++
		}
	}
}

// gatherGains writes to dst what flows to each state, f (T v - v), for a kernel that accepts as Metropolis does. The conductance of an edge is
// the same from both ends to the last bit.
func (e *edges) gatherGains(dst, v []float64) {
	s, f := e.scattered, e.f
	block := func(i int) {
		for x := i * partStates; x < min((i+1)*partStates, len(dst)); x++ {
			fx, vx, gain := f[x], v[x], 0.0
			first, end := s.start[x], s.start[x+1]
			to, there, back := s.to[first:end], s.there[first:end], s.back[first:end]
			for k, y := range to {
				gain += float64(min(float64(there[k]*fx), float64(back[k]*f[y])) * (v[y] - vx))
			}
			dst[x] = gain
		}
	}
	blocks := (len(dst) + partStates - 1) / partStates
	if e.crew != nil {
		e.crew.Run(blocks, block)
		return
	}
	for i := range blocks {
		block(i)
	}
}
