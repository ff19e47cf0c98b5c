package vectors

// hmm is a hidden Markov model with the likelihoods of its observations, by time and state.
type hmm struct {
	first      []num
	move, seen [][]num
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
	return mapped(transposed(h.move), func(column []num) num { return dot(p, column) })
}

// joint returns the probabilities of each state with all observations until then.
func (h hmm) joint() (out [][]num) {
	p := h.first
	for t, seen := range h.seen {
		if t > 0 {
			p = h.pushed(p)
		}
		p = times(p, seen)
		out = append(out, p)
	}
	return out
}

func (h hmm) filter() [][]num { return mapped(h.joint(), normalised) }

// smooth returns the distributions given all observations.
func (h hmm) smooth() [][]num {
	out := h.joint()
	later := mapped(h.first, func(num) num { return exactNumber(1) })
	for t := len(out) - 1; t >= 0; t-- {
		if t < len(out)-1 {
			weighed := times(later, h.seen[t+1])
			later = mapped(h.move, func(row []num) num { return dot(row, weighed) })
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
		path[t] = state
		if t > 0 {
			state = from[t][state]
		}
	}
	return path, at[path[len(path)-1]]
}

func ofHMM() []*Routine {
	arguments := []Argument{
		{"initial", List, "the probabilities of the first state"},
		{"transition", matrix, "the probabilities of the next state, a row for each state"},
		{"likelihood", matrix,
			"the probability, or density, of each observation, a row for each time with an entry for each state"},
	}
	matrices := func(f func(h hmm) [][]num) answer { return func(in inputs) [][]num { return f(hmmOf(in)) } }
	logOf := func(rows [][]num) [][]num { return aNumber(total(rows[len(rows)-1]).log()) }
	path := func(h hmm) [][]num {
		states, p := h.likeliest()
		return aList(mapped(states, func(x int) num {
			if p.v.Sign() == 0 {
				return num{}
			}
			return exactNumber(float64(x))
		}))
	}
	return []*Routine{
		{
			Name: "hmm_filter",
			Definition: "the distribution of the state at each time given the observations until then, a " +
				"row for each time",
			Source:    "Rabiner 1989",
			Inputs:    arguments,
			Output:    matrix,
			Tolerance: 1e-10,
			scale:     itself,
			cases:     examples("hidden Markov models"),
			define:    matrices(hmm.filter),
		},
		{
			Name:       "hmm_smoother",
			Definition: "the distribution of the state at each time given all observations, a row for each time",
			Source:     "Rabiner 1989",
			Inputs:     arguments,
			Output:     matrix,
			Tolerance:  1e-10,
			scale:      itself,
			cases:      examples("hidden Markov models"),
			define:     matrices(hmm.smooth),
		},
		{
			Name:       "hmm_log_likelihood",
			Definition: "log of the probability of all observations",
			Source:     "Rabiner 1989",
			Inputs:     arguments,
			Output:     Number,
			Tolerance:  1e-11,
			scale:      unit,
			cases:      examples("hidden Markov models"),
			define:     matrices(func(h hmm) [][]num { return logOf(h.joint()) }),
		},
		{
			Name:       "hmm_viterbi",
			Definition: "the likeliest path given all observations, with states from 0; undefined if none is possible",
			Source:     "Viterbi 1967",
			Inputs:     arguments,
			Output:     List,
			Tolerance:  0,
			scale:      unit,
			cases:      examples("hidden Markov models"),
			define:     matrices(path),
		},
	}
}
