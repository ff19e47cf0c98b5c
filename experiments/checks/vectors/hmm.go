package vectors

// hmm is a hidden Markov model with the likelihoods of its observations, by time and state. In a
// mistake a part of the recursions is another one.
type hmm struct {
	first           []num
	move, seen      [][]num
	early, backward bool // the first distribution makes a move; rows and columns of moves are exchanged
}

func hmmOf(in inputs) hmm { return hmm{first: in.nums(0), move: in.matrix(1), seen: in.matrix(2)} }

func times(a, b []num) []num {
	out := make([]num, len(a))
	for i := range a {
		out[i] = a[i].times(b[i])
	}
	return out
}

// pushed returns a distribution after a move.
func (h hmm) pushed(p []num) []num {
	if h.backward {
		return mapped(h.move, func(row []num) num { return dot(row, p) })
	}
	return mapped(transposed(h.move), func(column []num) num { return dot(p, column) })
}

// joint returns the probabilities of each state with all observations until then.
func (h hmm) joint() (out [][]num) {
	p := h.first
	for t, seen := range h.seen {
		if t > 0 || h.early {
			p = h.pushed(p)
		}
		p = times(p, seen)
		out = append(out, p)
	}
	return out
}

func (h hmm) filter() [][]num { return mapped(h.joint(), normalised) }

// smooth returns the distributions given all observations. The observation that a backward step
// counts is at the given number of steps ahead.
func (h hmm) smooth(ahead int, moved bool) [][]num {
	out := h.joint()
	later := mapped(h.first, func(num) num { return of(1) })
	move := h.move
	if moved {
		move = transposed(move)
	}
	for t := len(out) - 1; t >= 0; t-- {
		if t < len(out)-1 {
			weighed := times(later, h.seen[t+ahead])
			later = mapped(move, func(row []num) num { return dot(row, weighed) })
		}
		out[t] = normalised(times(out[t], later))
	}
	return out
}

// likeliest returns the likeliest path, and its probability.
func (h hmm) likeliest() (path []int, p num) {
	at := times(h.first, h.seen[0])
	from := make([][]int, len(h.seen))
	for t := 1; t < len(h.seen); t++ {
		next := make([]num, len(at))
		for j, column := range transposed(h.move) {
			arrive := times(at, column)
			k := best(arrive)
			from[t], next[j] = append(from[t], k), arrive[k]
		}
		at = times(next, h.seen[t])
	}
	path = make([]int, len(h.seen))
	state := best(at)
	for t := len(path) - 1; t >= 0; t-- {
		if path[t] = state; t > 0 {
			state = from[t][state]
		}
	}
	return path, at[path[len(path)-1]]
}

func ofHMM() []*Routine {
	arguments := []Argument{
		{"initial", List, "the probabilities of the first state"}, {"transition", Matrix, "the probabilities of the next state, a row for each state"},
		{"likelihood", Matrix, "the probability, or density, of each observation, a row for each time with an entry for each state"},
	}
	matrices := func(f func(h hmm) [][]num) answer { return func(in inputs) [][]num { return f(hmmOf(in)) } }
	early := func(h hmm) hmm { h.early = true; return h }
	exchanged := func(h hmm) hmm { h.backward = true; return h }
	uniform := func(h hmm) hmm {
		h.first = mapped(h.first, func(num) num { return of(1).over(of(float64(len(h.first)))) })
		return h
	}
	places := func(rows [][]num) [][]num {
		return aList(mapped(rows, func(p []num) num { return of(float64(best(p))) }))
	}
	logOf := func(rows [][]num) [][]num { return aNumber(total(rows[len(rows)-1]).log()) }
	path := func(h hmm, from float64) [][]num {
		states, p := h.likeliest()
		return aList(mapped(states, func(x int) num {
			if p.v.Sign() == 0 {
				return num{}
			}
			return of(float64(x) + from)
		}))
	}
	const (
		moved  = "the first distribution makes a move before the first observation"
		turned = "rows and columns of the transition matrix are exchanged"
	)
	return []*Routine{
		{
			Name: "hmm_filter", Definition: "the distribution of the state at each time given the observations until then, a row for each time", Source: "Rabiner 1989",
			Inputs: arguments, Output: Matrix, Tolerance: 1e-10, scale: itself, cases: examples("hidden Markov models"), define: matrices(hmm.filter),
			Mistakes: []Mistake{
				{moved, false, matrices(func(h hmm) [][]num { return early(h).filter() })}, {turned, false, matrices(func(h hmm) [][]num { return exchanged(h).filter() })},
				{"probabilities with the observations, which are not over their sum", false, matrices(hmm.joint)},
				{"the distribution before the observation of the time", false, matrices(func(h hmm) [][]num {
					out := [][]num{h.first}
					for _, p := range h.filter()[:len(h.seen)-1] {
						out = append(out, h.pushed(p))
					}
					return out
				})},
				{"given all observations (smoothing)", false, matrices(func(h hmm) [][]num { return h.smooth(1, false) })},
				{"the first distribution is taken for uniform", false, matrices(func(h hmm) [][]num { return uniform(h).filter() })},
			},
		},
		{
			Name: "hmm_smoother", Definition: "the distribution of the state at each time given all observations, a row for each time", Source: "Rabiner 1989",
			Inputs: arguments, Output: Matrix, Tolerance: 1e-10, scale: itself, cases: examples("hidden Markov models"), define: matrices(func(h hmm) [][]num { return h.smooth(1, false) }),
			Mistakes: []Mistake{
				{moved, false, matrices(func(h hmm) [][]num { return early(h).smooth(1, false) })},
				{turned, false, matrices(func(h hmm) [][]num { return exchanged(h).smooth(1, true) })},
				{"rows and columns are exchanged in the backward steps alone", false, matrices(func(h hmm) [][]num { return h.smooth(1, true) })},
				{"a backward step counts the observation of its own time", false, matrices(func(h hmm) [][]num { return h.smooth(0, false) })},
				{"given the observations until then (filtering)", false, matrices(hmm.filter)},
			},
		},
		{
			Name: "hmm_log_likelihood", Definition: "log of the probability of all observations", Source: "Rabiner 1989",
			Inputs: arguments, Output: Number, Tolerance: 1e-11, scale: unit, cases: examples("hidden Markov models"), define: matrices(func(h hmm) [][]num { return logOf(h.joint()) }),
			Mistakes: []Mistake{
				{moved, false, matrices(func(h hmm) [][]num { return logOf(early(h).joint()) })}, {turned, false, matrices(func(h hmm) [][]num { return logOf(exchanged(h).joint()) })},
				{"probabilities are not scaled, and underflow", false, matrices(func(h hmm) [][]num {
					p := mapped(h.first, num.float)
					for t, seen := range h.seen {
						if t > 0 {
							p = mapped(h.pushed(nums(p)), num.float)
						}
						p = mapped(times(nums(p), seen), num.float)
					}
					return aNumber(of(sumOf(p)).log())
				})},
				{"the last observation is left out", false, matrices(func(h hmm) [][]num {
					return aNumber(total(append([][]num{h.first}, h.joint()...)[len(h.seen)-1]).log())
				})},
				{"the log probability of the likeliest path", false, matrices(func(h hmm) [][]num { _, p := h.likeliest(); return aNumber(p.log()) })},
				{"the negative log likelihood", true, matrices(func(h hmm) [][]num { return aNumber(of(0).minus(logOf(h.joint())[0][0])) })},
				{"the mean over the observations", true, matrices(func(h hmm) [][]num { return aNumber(logOf(h.joint())[0][0].over(of(float64(len(h.seen))))) })},
			},
		},
		{
			Name: "hmm_viterbi", Definition: "the likeliest path given all observations, with states from 0; undefined if none is possible", Source: "Viterbi 1967",
			Inputs: arguments, Output: List, Tolerance: 0, scale: unit, cases: examples("hidden Markov models"), define: matrices(func(h hmm) [][]num { return path(h, 0) }),
			Mistakes: []Mistake{
				{"the likeliest state of each time given all observations", false, matrices(func(h hmm) [][]num { return places(h.smooth(1, false)) })},
				{"the likeliest state of each time given the observations until then", false, matrices(func(h hmm) [][]num { return places(h.filter()) })},
				{turned, false, matrices(func(h hmm) [][]num { h.move = transposed(h.move); return path(h, 0) })},
				{"the first distribution is taken for uniform", false, matrices(func(h hmm) [][]num { return path(uniform(h), 0) })},
				{"each step takes the likeliest state after that of the step before", false, matrices(func(h hmm) [][]num {
					state := best(times(h.first, h.seen[0]))
					out := []num{of(float64(state))}
					for _, seen := range h.seen[1:] {
						state = best(times(h.move[state], seen))
						out = append(out, of(float64(state)))
					}
					return aList(out)
				})},
				{"states are counted from 1", true, matrices(func(h hmm) [][]num { return path(h, 1) })},
			},
		},
	}
}
