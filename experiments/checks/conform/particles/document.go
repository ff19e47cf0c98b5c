package particles

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/experiments/checks/conform/records"
)

// document is the content of task.json.
type document struct {
	records.Head

	Annealing []records.Named `json:"annealing,omitempty"` // for people; what counts are the numbers
	Model     []records.Named `json:"model,omitempty"`     // the same of a hidden Markov model

	Particles int     `json:"particles"`
	Resample  string  `json:"resample"`
	Threshold float64 `json:"threshold"`
	Unordered bool    `json:"unordered,omitempty"`
	States    int     `json:"states"`
	T         int     `json:"T"`

	LogZRatio   float64       `json:"log_z_ratio"`
	Columns     []string      `json:"columns"`
	Conventions []string      `json:"conventions"`
	LogF        [][]float64   `json:"logf,omitempty"`
	Kernels     [][][]float64 `json:"kernels,omitempty"`
	Pi          []float64     `json:"pi,omitempty"`
	A           [][]float64   `json:"A,omitempty"`
	E           [][]float64   `json:"E,omitempty"`
	Y           []int         `json:"y,omitempty"`
}

// Document returns the content of task.json.
func (t *Task) Document() any {
	d := &document{
		Head: records.HeadOf(name), Particles: t.Particles, Resample: t.Scheme.String(), Threshold: t.Threshold, Unordered: t.Unordered,
		States: t.States(), T: t.T(), LogZRatio: t.LogZRatio(), Columns: t.Columns(), Conventions: t.conventions(), LogF: t.LogF, Kernels: t.Kernels,
	}
	if h := t.HMM; h != nil {
		d.Model, d.Pi, d.A, d.E, d.Y = records.NamesOf(t.Names), h.Pi, h.A, h.E, h.Y
	} else {
		d.Annealing = records.NamesOf(t.Names)
	}
	return d
}

// taskOf returns the task of a document.
func taskOf(d *document) (records.Task, error) {
	scheme, err := particle.ParseScheme(d.Resample)
	if err != nil {
		return nil, err
	}
	t := &Task{Setting: Setting{d.Particles, scheme, d.Threshold, d.Unordered}, Names: records.ParamsOf(append(d.Annealing, d.Model...)), LogF: d.LogF,
		Kernels: d.Kernels}
	if d.Y != nil {
		t.HMM = &particle.HMM{Pi: d.Pi, A: d.A, E: d.E, Y: d.Y}
	}
	return t, t.check()
}

// Page returns the text about the task for the README.
func (t *Task) Page() records.Page {
	p := records.Page{
		Title: fmt.Sprintf("sequential Monte Carlo with %d particles", t.Particles),
		Setting: fmt.Sprintf("There are P = %d particles, %d states and T = %d distributions, and resampling is %v. The annealing is:", t.Particles,
			t.States(), t.T(), t.Scheme),
		Names: records.NamesOf(t.Names), Conventions: t.conventions(),
		Numbers: fmt.Sprintf(
			"`logf[t-1][x]`, which is log f_t(x) for t = 1..T, and `kernels[t-2][x][y]`, the probability T_t(x, y) of a move from x to y, for t = 2..T. The mean of Zhat is Z_T/Z_1, of which the logarithm is %v.",
			t.LogZRatio()),
		Rows:   []string{"runs", "conditional runs, with the same columns"},
		Unseen: "A mistake that has the same distribution as the task cannot be found. `needs.txt` says which ones these are, and how many runs find each of the others.",
	}
	if t.HMM != nil {
		p.Title = fmt.Sprintf("a bootstrap particle filter with %d particles", t.Particles)
		p.Setting = fmt.Sprintf("There are P = %d particles, %d hidden states and T = %d observations, and resampling is %v. The hidden Markov model is:",
			t.Particles, t.States(), t.T(), t.Scheme)
		p.Numbers = fmt.Sprintf(
			"`pi[x]`, the probability that x_1 is x, `A[x][z]`, that of a move from x to z, `E[x][s]`, that of symbol s in state x, and `y[t-1]`, which is y_t, the symbol observed at time t = 1..T. The mean of Zhat is the probability of y_1..y_T, of which the logarithm is %v.",
			t.LogZRatio())
	}
	if t.byCounts() {
		p.Looks = "For that many particles the check counts how many are in each state. A mistake that carries weights or states from one stage to the next is found if it changes a distribution, since log Zhat then seldom agrees with the states. Such a mistake is not named."
		for _, h := range t.herds()[1:] {
			p.Ways = append(p.Ways, h.Name+": "+h.Meaning)
		}
		return p
	}
	for _, w := range ways() {
		if w.in == nil || w.in(t, chains.Forward) || w.in(t, chains.Reverse) {
			p.Ways = append(p.Ways, w.Name+": "+w.Meaning)
		}
	}
	return p
}

// conventions are whole sentences that say what to implement, which the README has too.
func (t *Task) conventions() []string {
	about := []string{
		"States and slots are numbered from 0. T counts both ends: f_1 is the initial distribution and f_T the target. Logarithms are natural.",
		"A run begins with P particles in slots 0..P-1. Each draws its state from p_1, independently; p_t is f_t divided by its sum. All weights are one, and log Zhat is zero.",
		"At each stage t = 2..T, in this order: the weight of every particle, at state x, is multiplied by f_t(x)/f_(t-1)(x); the particles are resampled if that is due (see below); every particle moves by the kernel T_t, independently of the others.",
	}
	after, path := "After the last move",
		"Draw x_T from p_T exactly; for t = T..2 draw x_(t-1) from x_t by the time reversal of T_t, which goes from y to x with probability p_t(x) T_t(x,y)/p_t(y)."
	if t.HMM != nil {
		about = []string{
			"States, symbols and slots are numbered from 0, and times from 1. Logarithms are natural.",
			"A run begins with P particles in slots 0..P-1. Each draws its state at time 1 from pi, independently. All weights are one, and log Zhat is zero.",
			"For each time t = 2..T, in this order: the weight of every particle, at state x, is multiplied by E[x][y_(t-1)]; the particles are resampled if that is due (see below); every particle moves from its state x to z with probability A[x][z], independently of the others.",
		}
		after = "After the last move every weight, of a particle at state x, is multiplied by E[x][y_T]. Then"
		path = "Draw the path x_1..x_T exactly from its distribution given y_1..y_T: with a_1(x) = pi[x] E[x][y_1] and a_t(z) = E[z][y_t] times the sum over x of a_(t-1)(x) A[x][z], draw x_T in proportion to a_T(x), and for t = T..2 draw x_(t-1) in proportion to a_(t-1)(x) A[x][x_t]."
	}
	if t.Unordered {
		order := "A program may keep the particles in any order, and needs no slots."
		if t.ordered() {
			order = "But the slots of a program must have the order that is described here, since the distribution of the scheme depends on it."
		}
		about = append(about, "For each stage a run writes the states of the particles in any order; the check reads them as a multiset. "+order)
	}
	about = append(about,
		t.dueSentence(),
		"Resampling adds the log of the mean weight to log Zhat, draws a parent for every slot, gives each slot the state of its parent, and makes all weights one. If the particles are not resampled, they stay in their slots, their weights are carried on, and log Zhat does not change.",
		schemeSentence(t.Scheme),
		after+" the log of the mean weight is added to log Zhat for the last time, and the output is the state of one slot, drawn in proportion to the weights.")
	if !t.byCounts() {
		about = append(about,
			"A conditional run keeps a path among the particles. "+path+
				" The path begins in a slot that is drawn uniformly, and its states are x_1..x_T: when other particles start or move, it takes its next state. Everything else is the same as in a run. The weight of the path counts in log Zhat. The output is x_T.",
			"When a conditional run is resampled the path continues. Let j be its slot, and N_i the number of slots whose parent is i. The parents have their probability in a run times N_j/(P W_j), and the path takes each of the N_j slots with the same probability. "+
				keepSentence(t.Scheme))
	}
	return append(about, "Runs are independent, and each row of a file is one run.")
}

// ordered reports whether the distribution of the multisets depends on the order of the particles.
func (t *Task) ordered() bool {
	switch t.Scheme.(type) {
	case particle.Stratified, particle.Systematic:
		return t.Threshold > 0
	}
	return false
}

// dueSentence says when the particles are resampled.
func (t *Task) dueSentence() string {
	switch t.Threshold {
	case 1:
		return "The particles are resampled at every stage t = 2..T, whatever the weights."
	case 0:
		return "The particles are never resampled."
	}
	return fmt.Sprintf(
		"The particles are resampled if the effective sample size, (sum of w)^2 divided by the sum of w^2, is below %v times P; the weights w are those accumulated since the last resampling.",
		t.Threshold)
}

// schemeSentence says how parents are drawn.
func schemeSentence(s particle.Scheme) string {
	const line = " puts the particles side by side on a line, in the order of their slots, each as long as P times its normalised weight W, so that the line has the length P. Slot i gets the particle at the point i + u"
	switch s.(type) {
	case particle.Stratified:
		return "Stratified resampling" + line + "_i, with a uniform u_i from 0 to 1 for each slot."
	case particle.Systematic:
		return "Systematic resampling" + line + ", with one uniform u from 0 to 1 for all slots."
	case particle.Residual:
		return "Residual resampling gives particle j, with the normalised weight W_j, floor(P W_j) slots: the first slots go to particle 0, the next ones to particle 1, and so on. The parents of the remaining slots are drawn independently, j in proportion to P W_j - floor(P W_j). If P W_j is within rounding of a whole number, it counts as that number."
	}
	return "Multinomial resampling draws the parents of all slots independently, each in proportion to the weights; W are the normalised weights."
}

// keepSentence says how to draw parents around a path.
func keepSentence(s particle.Scheme) string {
	const point = "To do so, draw a point uniformly from the stretch of the line that belongs to j. The path continues in slot i, the whole part of the point, and "
	switch s.(type) {
	case particle.Stratified:
		return point + "the other slots get their parents as in a run."
	case particle.Systematic:
		return point + "u for all slots is the rest of the point."
	case particle.Residual:
		return "To do so, let the path continue with probability floor(P W_j)/(P W_j) in one of the floor(P W_j) slots that j has in any case, and otherwise in one of the remaining slots, always drawn uniformly. The parents of the other remaining slots are drawn as in a run."
	}
	return "To do so, let the path continue in a slot that is drawn uniformly, and draw the parents of the other slots as in a run."
}
