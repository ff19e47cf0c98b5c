package planted

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
)

// MaxRungs and MaxTempered are the most rungs and states of a Tempering.
const MaxRungs, MaxTempered = 4, 4

// Tempering is parallel tempering by Metropolis, written down step by step: a chains.Process that
// shares nothing with package chains/tempering. Each field below is the place of a bug;
// NewTempering sets the correct values.
type Tempering struct {
	Betas             []float64 // the ladder, from 0 to 1
	Reference, Target []float64 // log f at either end, in nats
	Propose           [][]float64
	Scans             int
	Statistics        bool // whether states and acceptances are recorded; else round trips are

	// Ratio returns the log of the ratio by which a swap of x at rung i and y at rung i+1 is
	// accepted.
	Ratio func(i, x, y int) float64
	// Accept returns the probability of a swap whose ratio has this logarithm.
	Accept func(ratio float64) float64
	// Offered returns the lower rungs of the pairs that are offered a swap in scan t = 1, 2, ...
	Offered     func(c chains.Chooser, t int) []int
	Explores    func(i int) bool                          // says whether the replica at a rung moves before swaps
	Stale       bool                                      // whether swaps go by the states before exploring
	CachesStay  bool                                      // whether the kernels' cached densities stay at their rungs when states are swapped
	BetasTravel bool                                      // whether a replica keeps exploring by the beta of the rung that it has left
	Before      bool                                      // whether the statistics of a scan are taken before its swaps
	Adapts      bool                                      // whether the ladder is moved after each scan
	Counted     bool                                      // whether a refusal counts as one, and not by its probability
	Refusals    func(refused float64, offers int) float64 // returns the mean refusal of the swaps of a pair
	// LogZ returns the estimate of log Z from the counts of each state at each rung.
	LogZ      func(seen *[MaxRungs][MaxTempered]int8) float64
	Counts    func(first int) bool    // says whether round trips of the replica count that was at this rung at first
	OnLeaving bool                    // whether a round trip counts when the replica leaves rung 0 again
	Rate      func(trips int) float64 // returns what the round trips are reported as
}

// NewTempering returns parallel tempering without a bug. With random it offers the even or the odd
// pairs by a fair coin, and else in turn.
func NewTempering(betas, reference, target []float64, propose [][]float64, scans int, random bool) *Tempering {
	p := &Tempering{Betas: betas, Reference: reference, Target: target, Propose: propose, Scans: scans}
	p.Ratio = func(i, x, y int) float64 { return p.step(i) * (p.g(x) - p.g(y)) }
	p.Accept = func(ratio float64) float64 { return math.Exp(min(0, ratio)) }
	p.Offered = func(c chains.Chooser, t int) []int {
		first := (t - 1) % 2
		if random {
			first = c.Uniform(2)
		}
		return p.pairs(first, 2)
	}
	p.Explores = func(int) bool { return true }
	p.Refusals = func(refused float64, offers int) float64 {
		if offers == 0 {
			return 0
		}
		return refused / float64(offers)
	}
	p.LogZ = func(seen *[MaxRungs][MaxTempered]int8) float64 { return p.stones(seen, 0, number.LogMean) }
	p.Counts = func(int) bool { return true }
	p.Rate = func(trips int) float64 { return float64(trips) / float64(p.Scans) }
	return p
}

// g returns the log of the ratio of the target to the reference, and step the difference of beta
// between rung i and the next.
func (p *Tempering) g(x int) float64    { return p.Target[x] - p.Reference[x] }
func (p *Tempering) step(i int) float64 { return p.Betas[i+1] - p.Betas[i] }

// pairs returns the lower rungs of pairs, from one on.
func (p *Tempering) pairs(first, by int) (list []int) {
	for i := first; i+1 < len(p.Betas); i += by {
		list = append(list, i)
	}
	return list
}

// stones returns the stepping stone estimate of log Z: the states of the lower rung of each pair,
// or those of the rung that many above, are weighed by f at the upper one. mean makes the log of a
// factor of the log weights.
func (p *Tempering) stones(seen *[MaxRungs][MaxTempered]int8, of int, mean func(logw []float64) float64) float64 {
	sum := 0.0
	for i := range len(p.Betas) - 1 {
		var logw []float64
		for x := range p.Target {
			for range seen[i+of][x] {
				logw = append(logw, p.step(i)*p.g(x))
			}
		}
		sum += mean(logw)
	}
	return sum
}

// Tempered is where the replicas are after a scan, and what has been recorded until then. What it
// holds of a right program is enough to go on.
type Tempered struct {
	X     [MaxRungs]int8 // the state at each rung
	cache [MaxRungs]int8 // the state whose density the kernel there takes for that of x
	home  [MaxRungs]int8 // the rung by whose beta it explores
	first [MaxRungs]int8 // the rung where the replica was at first
	down  [MaxRungs]bool // whether it was at the top rung since it was at rung 0
	late  [MaxRungs]bool // whether a trip of it is to be counted when it leaves rung 0
	gaps  [MaxRungs - 1]float64
	// Recorded: the last states, a letter a pair and scan, and sums.
	last    [MaxRungs]int8
	swaps   string
	seen    [MaxRungs][MaxTempered]int8
	refused [MaxRungs - 1]float64
	offers  [MaxRungs - 1]int8
	trips   int
}

// Steps implements chains.Process.
func (p *Tempering) Steps() int { return p.Scans }

// Start implements chains.Process: each replica is an exact draw at its rung.
func (p *Tempering) Start(c chains.Chooser) (s Tempered) {
	for i := range p.Betas {
		law := p.logf(&s, i)
		chains.Normalize(law)
		x := int8(c.Choose(law))
		s.X[i], s.cache[i], s.home[i] = x, x, int8(i)
		if !p.Statistics {
			s.first[i] = int8(i)
		}
	}
	s.down[len(p.Betas)-1] = !p.Statistics
	if p.Adapts {
		for _, i := range p.pairs(0, 1) {
			s.gaps[i] = p.step(i)
		}
	}
	return s
}

// logf returns log f of every state at a rung, of the ladder as it stands.
func (p *Tempering) logf(s *Tempered, i int) []float64 {
	beta := p.Betas[i]
	if s.gaps[0] > 0 {
		beta = 0
		for _, gap := range s.gaps[:i] {
			beta += gap
		}
	}
	out := make([]float64, len(p.Target))
	for x := range out {
		out[x] = (1-beta)*p.Reference[x] + beta*p.Target[x]
	}
	return out
}

// Step implements chains.Process. The increment is zero.
func (p *Tempering) Step(c chains.Chooser, t int, s Tempered) (Tempered, float64) {
	before := s.X
	for i := range p.Betas {
		if p.Explores(i) {
			p.explore(c, &s, i)
		}
	}
	if p.Before {
		p.note(&s)
	}
	letters := slices.Repeat([]byte{'-'}, len(p.Betas)-1)
	for _, i := range p.Offered(c, t) {
		x, y := int(s.X[i]), int(s.X[i+1])
		if p.Stale {
			x, y = int(before[i]), int(before[i+1])
		}
		ratio := p.Ratio(i, x, y)
		if p.Adapts {
			ratio = s.gaps[i] * (p.g(x) - p.g(y))
		}
		a := p.Accept(ratio)
		letters[i] = '0'
		accepted := c.Flip(a)
		if accepted {
			letters[i] = '1'
			p.swap(&s, i)
			before[i], before[i+1] = before[i+1], before[i]
		}
		if p.Statistics {
			s.refused[i], s.offers[i] = s.refused[i]+p.refusal(a, accepted), s.offers[i]+1
		}
		if p.Adapts {
			p.adapt(&s, i, a)
		}
	}
	s.swaps += string(letters)
	if !p.Before {
		p.note(&s)
	}
	return s, 0
}

// refusal returns what an offer adds to the refusals of a pair.
func (p *Tempering) refusal(a float64, accepted bool) float64 {
	switch {
	case !p.Counted:
		return 1 - a
	case accepted:
		return 0
	}
	return 1
}

// explore makes a Metropolis move of the replica at rung i.
func (p *Tempering) explore(c chains.Chooser, s *Tempered, i int) {
	logf := p.logf(s, int(s.home[i]))
	row, stay := make([]float64, len(logf)), 1.0
	for y, q := range p.Propose[s.X[i]] {
		if y != int(s.X[i]) {
			row[y] = q * math.Exp(min(0, logf[y]-logf[s.cache[i]]))
			stay -= row[y]
		}
	}
	row[s.X[i]] = max(0, stay)
	y := int8(c.Choose(row))
	if y != s.X[i] {
		s.X[i], s.cache[i] = y, y
	}
}

// note records the states of a scan.
func (p *Tempering) note(s *Tempered) {
	if !p.Statistics {
		return
	}
	s.last = s.X
	for i := range p.Betas {
		s.seen[i][s.X[i]]++
	}
}

// swap exchanges the replicas at rungs i and i+1, and counts the round trip that this may complete.
func (p *Tempering) swap(s *Tempered, i int) {
	s.X[i], s.X[i+1] = s.X[i+1], s.X[i]
	if !p.CachesStay {
		s.cache[i], s.cache[i+1] = s.cache[i+1], s.cache[i]
	}
	if p.BetasTravel {
		s.home[i], s.home[i+1] = s.home[i+1], s.home[i]
	}
	if p.Statistics {
		return
	}
	s.first[i], s.first[i+1] = s.first[i+1], s.first[i]
	s.down[i], s.down[i+1] = s.down[i+1], s.down[i]
	s.late[i], s.late[i+1] = s.late[i+1], s.late[i]
	if s.late[1] && i == 0 {
		s.late[1] = false
		s.trips++
	}
	if i == 0 && s.down[0] {
		s.down[0] = false
		switch {
		case !p.Counts(int(s.first[0])):
		case p.OnLeaving:
			s.late[0] = true
		default:
			s.trips++
		}
	}
	if top := len(p.Betas) - 1; i+1 == top {
		s.down[top] = true
	}
}

// adapt widens the gap of a pair that accepts a with more than one half, and narrows it with less.
func (p *Tempering) adapt(s *Tempered, i int, a float64) {
	s.gaps[i] *= math.Exp((a - 0.5) / 2)
	sum := 0.0
	for _, gap := range s.gaps {
		sum += gap
	}
	for j := range s.gaps {
		s.gaps[j] /= sum
	}
}

// TemperingRecord is the result of a run.
type TemperingRecord struct {
	Swaps    []int8 // by scan and pair: 1 where a swap was accepted, 0 where it was refused, -1 if none was offered
	Last     []int8 // the last states that were recorded
	LogZ     float64
	Refusals []float64 // by pair
	Trips    int
	Rate     float64
}

// Record returns the result of a run from its last state: the states and estimates with Statistics,
// and else the round trips.
func (p *Tempering) Record(s Tempered) (r TemperingRecord) {
	for _, letter := range []byte(s.swaps) {
		r.Swaps = append(r.Swaps, map[byte]int8{'-': -1, '0': 0, '1': 1}[letter])
	}
	if !p.Statistics {
		r.Trips, r.Rate = s.trips, p.Rate(s.trips)
		return r
	}
	r.Last, r.LogZ = slices.Clone(s.last[:len(p.Betas)]), p.LogZ(&s.seen)
	for i := range len(p.Betas) - 1 {
		r.Refusals = append(r.Refusals, p.Refusals(s.refused[i], int(s.offers[i])))
	}
	return r
}

// The functions below plant one bug each in parallel tempering.

// SwapInverted uses the negative difference of the betas in the ratio of a swap.
func SwapInverted(p *Tempering) {
	p.Ratio = func(i, x, y int) float64 { return -p.step(i) * (p.g(x) - p.g(y)) }
}

// SwapByTarget uses the log density of the target in the ratio of a swap, without that of the
// reference.
func SwapByTarget(p *Tempering) {
	p.Ratio = func(i, x, y int) float64 { return p.step(i) * (p.Target[x] - p.Target[y]) }
}

// SwapTempered uses the tempered log densities, each at the rung of its state, instead of log f_1 -
// log f_0 in the ratio of a swap.
func SwapTempered(p *Tempering) {
	at := func(i, x int) float64 { return (1-p.Betas[i])*p.Reference[x] + p.Betas[i]*p.Target[x] }
	p.Ratio = func(i, x, y int) float64 { return p.step(i) * (at(i, x) - at(i+1, y)) }
}

// SwapBarker accepts swaps by the rule of Barker, r/(1 + r) for the ratio r. It leaves every
// distribution invariant, and swaps less.
func SwapBarker(p *Tempering) {
	p.Accept = func(ratio float64) float64 { return 1 / (1 + math.Exp(-ratio)) }
}

// RefusalsCounted records a rejection as 1 and an accepted swap as 0, instead of the probability of
// a rejection.
func RefusalsCounted(p *Tempering) { p.Counted = true }

// SwapStale swaps by the states before exploring.
func SwapStale(p *Tempering) { p.Stale = true }

// CachesStay swaps the states, but not the cached densities of the kernels.
func CachesStay(p *Tempering) { p.CachesStay = true }

// OddFromZero begins the odd pairs at rung 0.
func OddFromZero(p *Tempering) {
	offered := p.Offered
	p.Offered = func(c chains.Chooser, t int) []int {
		list := offered(c, t)
		if len(list) == 0 || list[0] == 1 {
			return p.pairs(0, 2)
		}
		return list
	}
}

// AlwaysEven offers the even pairs in every scan.
func AlwaysEven(p *Tempering) { p.Offered = func(chains.Chooser, int) []int { return p.pairs(0, 2) } }

// SweepPairs offers all pairs in every scan, one after another.
func SweepPairs(p *Tempering) { p.Offered = func(chains.Chooser, int) []int { return p.pairs(0, 1) } }

// OneReplica counts the round trips of only the replica that started at rung 0.
func OneReplica(p *Tempering) { p.Counts = func(first int) bool { return first == 0 } }

// TripsWhole reports the number of round trips instead of the number a scan.
func TripsWhole(p *Tempering) { p.Rate = func(trips int) float64 { return float64(trips) } }

// TripsOnLeaving counts a round trip when the replica leaves rung 0 again.
func TripsOnLeaving(p *Tempering) { p.OnLeaving = true }

// ColdStays does not explore at the top rung.
func ColdStays(p *Tempering) { p.Explores = func(i int) bool { return i < len(p.Betas)-1 } }

// HotStays does not explore at rung 0.
func HotStays(p *Tempering) { p.Explores = func(i int) bool { return i > 0 } }

// UnofferedAccepted counts pairs that are not offered a swap as accepted.
func UnofferedAccepted(p *Tempering) {
	p.Refusals = func(refused float64, _ int) float64 { return refused / float64(p.Scans) }
}

// BetasTravel makes a replica explore by the beta of the rung that it has left.
func BetasTravel(p *Tempering) { p.BetasTravel = true }

// StoneAbove weighs the states of the upper rung in the forward estimate of log Z.
func StoneAbove(p *Tempering) {
	p.LogZ = func(seen *[MaxRungs][MaxTempered]int8) float64 { return p.stones(seen, 1, number.LogMean) }
}

// StoneOfLogs takes the mean of the log weights instead of the log of their mean.
func StoneOfLogs(p *Tempering) {
	p.LogZ = func(seen *[MaxRungs][MaxTempered]int8) float64 { return p.stones(seen, 0, meanOf) }
}

// BeforeSwaps takes the statistics of a scan before its swaps.
func BeforeSwaps(p *Tempering) { p.Before = true }

// LadderAdapts keeps moving the ladder while states are recorded.
func LadderAdapts(p *Tempering) { p.Adapts = true }
