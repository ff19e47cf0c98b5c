package hypotheses

import (
	"cmp"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/chains/sorts"
	"breadboard/experiments/checks/eprocess"
)

// The law of Unknown is a mixture of three parts, each as likely:
//
//   - what is nearly the specification: a Dirichlet law around it, or chains of which a part has the law of a hypothesis, as
//     where a bug is in some of the chains or of the moves only;
//   - what is nearly one of the hypotheses, all of them alike, in the same two ways;
//   - what is near none of them: a Dirichlet law around all hypotheses and all cells (see Set.finish).
//
// Of the second only the terms are computed that matter, those of the leaders. Terms of a mixture are not negative, so that
// one that lacks some is at most what it should be, whichever are left out and why: e-values stay e-values, and Unknown is
// never likelier than it should be.

// leaderCount is the number of hypotheses, besides the specification, around which the odds look for the law of the chains.
const leaderCount = 2

// shares returns the shares of another law of which parts are tried.
func shares() []float64 { return []float64{0.02, 0.1, 0.3, 0.6, 0.9} }

// seen is what was counted, with the probabilities of the cells that were seen under every hypothesis.
type seen struct {
	cells   []int32
	counts  []int
	p       [][]float64 // by hypothesis and place in counts
	blurred int         // the hypothesis that does not say how often weights come out exact, which has no part in others; 0 is none
}

// seen returns the cells in which there are chains.
func (t *Tally) seen() *seen {
	s := &seen{p: make([][]float64, len(t.laws)), blurred: t.blurred}
	s.cells, s.counts = nonzero(t.counts)
	for h, l := range t.laws {
		s.p[h] = l.at(s.cells)
	}
	return s
}

// nonzero returns the cells whose counts are not zero, and these counts.
func nonzero(counts []int) (cells []int32, of []int) {
	for cell, c := range counts {
		if c > 0 {
			cells, of = append(cells, int32(cell)), append(of, c)
		}
	}
	return cells, of
}

// without reports whether a law has no part in others.
func (s *seen) without(h int) bool { return h > 0 && h == s.blurred }

// part returns the log probability of the counts where each chain is of the law h, or with the probability share of the law other.
func (s *seen) part(h, other int, share float64) float64 {
	p, q := s.p[h], s.p[other]
	out := newProduct()
	for i, c := range s.counts {
		v := (1-share)*p[i] + share*q[i]
		if v == 0 {
			return math.Inf(-1)
		}
		out.multiply(v, c)
	}
	return out.log()
}

// parts returns the log probability of chains of the law h with a part of another one, averaged over all others and over the shares.
func (s *seen) parts(h int) float64 {
	if s.without(h) {
		return math.Inf(-1)
	}
	var terms []float64
	for other := range s.p {
		for _, share := range shares() {
			term := math.Inf(-1)
			if other != h && !s.without(other) {
				term = s.part(h, other, share)
			}
			terms = append(terms, term)
		}
	}
	return number.LogMean(terms)
}

// unlisted has what Unknown says of chains.
type unlisted struct {
	log     float64         // the log probability of the counts under Unknown
	against map[int]float64 // log e-values against the leaders, by hypothesis
}

// unlisted compares the chains with what is nearly the specification, and with what is nearly one of so many leaders of the
// hypotheses, given the log probabilities under all of them. Where there are no leaders Unknown has two parts.
func (t *Tally) unlisted(s *seen, logs []float64, leading int) unlisted {
	u := unlisted{against: map[int]float64{}}
	near := slices.Repeat([]float64{math.Inf(-1)}, len(t.laws))
	for _, h := range leaders(logs, leading) {
		if math.IsInf(logs[h], -1) && h > 0 {
			continue
		}
		around, mixed := math.Inf(-1), s.parts(h)
		if !math.IsInf(logs[h], -1) {
			around = logs[h] + t.against(s, h)
		}
		near[h] = number.LogMean([]float64{around, mixed})
		if u.against[h] = near[h] - logs[h]; math.IsInf(logs[h], -1) {
			u.against[h] = math.Inf(1)
		}
	}
	terms := []float64{near[0], t.far()}
	if leading > 0 && len(near) > 1 {
		terms = append(terms, number.LogMean(near[1:]))
	}
	u.log = number.LogMean(terms)
	return u
}

// leaders returns the specification, and so many hypotheses with the largest log probabilities.
func leaders(logs []float64, leading int) []int {
	order := make([]int, len(logs)-1)
	for i := range order {
		order[i] = i + 1
	}
	sorts.Stable(order, func(a, b int) int { return cmp.Compare(logs[b], logs[a]) })
	return append([]int{0}, order[:min(leading, len(order))]...)
}

// far returns the log probability of the counts where those of cells are drawn from a Dirichlet law around all hypotheses and cells.
func (t *Tally) far() float64 {
	p := newProduct()
	for cell, c := range t.counts {
		if c > 0 {
			p.multiply(t.base[cell], c)
		}
	}
	return p.log() + eprocess.CountsLogE(t.counts, t.base)
}
