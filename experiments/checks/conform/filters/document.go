package filters

import (
	_ "embed" // the README
	"fmt"

	"breadboard/chains/particle"
	"breadboard/experiments/checks/conform/records"
)

// head is what stands at the beginning of task.json.
func head() records.Head {
	return records.Head{Format: "breadboard conform particles task", Version: 1}
}

// document is what task.json holds.
type document struct {
	records.Head

	Annealing []records.Named `json:"annealing"` // for people; what counts are the numbers

	Particles int     `json:"particles"`
	Resample  string  `json:"resample"`
	Threshold float64 `json:"threshold"`
	States    int     `json:"states"`
	T         int     `json:"T"`

	LogZRatio   float64       `json:"log_z_ratio"`
	Columns     []string      `json:"columns"`
	Conventions []string      `json:"conventions"`
	LogF        [][]float64   `json:"logf"`
	Kernels     [][][]float64 `json:"kernels"`
}

// document returns what task.json is to hold.
func (t *Task) document() document {
	return document{
		Head: head(), Annealing: records.NamesOf(t.Names), Particles: t.Particles, Resample: t.Scheme.String(), Threshold: t.Threshold,
		States: t.States(), T: t.T(), LogZRatio: t.LogZRatio(), Columns: t.Columns(), Conventions: t.conventions(), LogF: t.LogF, Kernels: t.Kernels,
	}
}

// Decode reads task.json. It fails where fields are unknown or missing, where the numbers are none of a task, and where they do not
// agree with what is written about them.
func Decode(data []byte) (*Task, error) {
	var d document
	if err := records.Decode(data, head(), "conform particles spec", &d); err != nil {
		return nil, err
	}
	scheme, err := particle.ParseScheme(d.Resample)
	if err != nil {
		return nil, err
	}
	t := &Task{Names: records.ParamsOf(d.Annealing), Particles: d.Particles, Scheme: scheme, Threshold: d.Threshold, LogF: d.LogF, Kernels: d.Kernels}
	if err := t.check(); err != nil {
		return nil, err
	}
	return t, records.Agree(d, t.document())
}

// ReadFolder reads the task of a folder.
func ReadFolder(dir string) (*Task, error) { return records.ReadFolder(dir, Decode) }

// Files returns the files of the folder.
func (t *Task) Files() ([]records.File, error) {
	return records.Files(t.document(), readmeText, readmePage{t.document(), Groups(), ways()})
}

// conventions are whole sentences that say what to implement, which the README has too.
func (t *Task) conventions() []string {
	return []string{
		"States and slots are numbered from 0. T counts both ends: f_1 is the initial distribution and f_T the target. Logarithms are natural.",
		"A run begins with P particles in slots 0..P-1. Each draws its state from p_1, independently; p_t is f_t divided by its sum. All weights are one, and log Zhat is zero.",
		"At each stage t = 2..T, in this order: the weight of every particle, at state x, is multiplied by f_t(x)/f_(t-1)(x); the particles are resampled, where that is due; every particle moves by the kernel T_t, independently of the others.",
		t.dueSentence(),
		"Resampling adds the log of the mean weight to log Zhat, draws a parent for every slot, gives each slot the state of its parent, and makes all weights one. Where the particles are not resampled they stay in their slots, their weights are carried on, and log Zhat stays.",
		schemeSentence(t.Scheme),
		"After the last move the log of the mean weight is added to log Zhat, which is thereby finished, and the output is the state of one slot, drawn in proportion to the weights.",
		"A conditional run keeps a path among the particles. Draw x_T from p_T exactly; for t = T..2 draw x_(t-1) from x_t by the time reversal of T_t, which goes from y to x with probability p_t(x) T_t(x,y)/p_t(y). The path begins in a slot that is drawn uniformly, and its states are x_1..x_T: where other particles start or move, it takes its next state. All else is as in a run, and the weight of the path counts in log Zhat. The output is x_T.",
		"Where a conditional run is resampled the path goes on. With j for its slot and N_i for the number of slots whose parent is i, the parents have the probability that they have in a run times N_j/(P W_j), and the path takes each of the N_j slots with the same probability. " + keepSentence(t.Scheme),
		"Runs are independent, and each row of a file is one run."}
}

// dueSentence says where the particles are resampled.
func (t *Task) dueSentence() string {
	switch t.Threshold {
	case 1:
		return "The particles are resampled at every stage t = 2..T, whatever the weights."
	case 0:
		return "The particles are never resampled."
	}
	return fmt.Sprintf("The particles are resampled where the effective sample size, (sum of w)^2 divided by the sum of w^2, is below %v times P; the weights w are those that have been carried on since the last resampling.", t.Threshold)
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
		return "Residual resampling gives particle j, with the normalised weight W_j, floor(P W_j) slots: the first slots go to particle 0, the next ones to particle 1, and so on. The parents of the slots that are left are drawn independently, j in proportion to P W_j - floor(P W_j). A P W_j that is within rounding of a whole number counts as that number."
	}
	return "Multinomial resampling draws the parents of all slots independently, each in proportion to the weights; W are the normalised weights."
}

// keepSentence says how to draw parents around a path.
func keepSentence(s particle.Scheme) string {
	const point = "That is so where a point is drawn uniformly from the stretch of the line that belongs to j: the path goes on in slot i, its whole part, and "
	switch s.(type) {
	case particle.Stratified:
		return point + "the other slots get their parents as in a run."
	case particle.Systematic:
		return point + "u for all slots is what is left of it."
	case particle.Residual:
		return "That is so where the path goes on in one of the floor(P W_j) slots that j has in any case, each alike, with probability floor(P W_j)/(P W_j), and else in one of the slots that are left, each alike; the parents of the other slots that are left are drawn as in a run."
	}
	return "That is so where the path goes on in a slot that is drawn uniformly, and the other slots draw their parents as in a run."
}

//go:embed readme.tmpl
var readmeText string

// readmePage is what the template of the README is filled with.
type readmePage struct {
	document
	Groups []records.Group
	Ways   []way
}
