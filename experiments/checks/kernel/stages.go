package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/programs"
	"breadboard/reports/check"
)

// planStages returns the number of distributions of the annealing with the candidate, and whether J
// and B are computed, which needs a kernel for every stage with all its digits. For kernels that
// are made for certain betas it sets these betas, and refuses others.
func (k *Row) planStages(path chains.Path, candidate *chains.Transitions,
	T int) (distributions int, whole bool, err error) {
	if m, ok := candidate.Kernel().(*programs.Matrix); ok {
		if k.Named && !slices.Equal(k.Betas, []float64{1}) {
			return 0, false, errs.New(
				"kernel %s is a matrix, and is checked at the target alone; leave {beta} out, or give {beta} 1",
				k.Kernel,
			)
		}
		k.Betas = []float64{1}
		k.noiseFloor(m, stages.Distribution(path, 1))
		return T, false, nil
	}
	if candidate.Kernel() != nil {
		return T, true, nil
	}
	if k.Named {
		return 0, false, errs.New(
			"kernel %s has a matrix for each stage, checked at the beta of that stage; leave {beta} out",
			k.Kernel,
		)
	}
	T = candidate.Distributions()
	k.Betas = nil
	for t := 2; t <= T; t++ {
		k.Betas = append(k.Betas, schedules.Linear{}.Beta(t, T))
	}
	return T, !k.noteRounding(path, candidate, T), nil
}

// noteRounding reports whether the kernels are matrix files with too few digits for J and B. If
// they are it adds a finding.
func (k *Row) noteRounding(path chains.Path, candidate *chains.Transitions, T int) bool {
	m, ok := candidate.KernelAt(T).(*programs.Matrix)
	if !ok {
		return false
	}
	k.noiseFloor(m, stages.Distribution(path, 1))
	if programs.InexactOf(candidate) <= programs.ExactRounding {
		return false
	}
	k.under(math.NaN()).addExact("annealing", math.NaN(), math.NaN(), check.Note,
		"J and B are not computed: the files are rounded; write all digits, or .npy")
	return true
}

// examineStages makes the findings at every beta. Where each stage has its own kernel, that of
// stage t is examined at the beta with index t - 2.
func (k *Row) examineStages(ctx context.Context, path chains.Path, moves *chains.Transitions) error {
	logf := make([]float64, path.States())
	// the largest violation, and whether there is one that it does not show
	worst := -1.0
	hidden := false
	var wrong *kernel.Diagnosis
	var refused []error
	for _, m := range planted.Mistakes(k.Toy.Space) {
		k.suspects = append(k.suspects, mistake{Named: m})
	}
	for i, beta := range k.Betas {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		candidate := moves.KernelAt(i + 2)
		path.LogF(logf, chains.At(beta))
		d, err := kernel.Diagnose(ctx, candidate, logf)
		k.how.Add(stepsEach(moves))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			k.suspects = nil // the rows are not all known
			if k.failed(beta, err) {
				break // it is not asked again
			}
			k.under(beta).addExact("rows", math.NaN(), math.NaN(), blame(err), k.Toy.Explain(err).Error())
			k.SpectralGaps = append(k.SpectralGaps, math.NaN())
			refused = append(refused, err)
			continue
		}
		if d.Invariance > worst {
			worst = d.Invariance
			k.Defect = d.Defect
			k.DefectBeta = beta
			wrong = d
		}
		k.SpectralGaps = append(k.SpectralGaps, d.SpectralGap)
		own := k.claims(beta, d, candidate)
		if err := k.repeatRows(ctx, beta, d, candidate, logf); err != nil {
			return err
		}
		if own && !hidden && worst <= loose {
			hidden = true
			k.Defect = d.Defect
			k.DefectBeta = beta
			wrong = d
		}
		if err := k.suspect(ctx, d, candidate, logf); err != nil {
			return err
		}
		if own || d.Invariance > loose || d.RowSum > loose {
			continue // the efficiency of a wrong kernel is of no use
		}
		if err := k.efficiency(ctx, beta, d); err != nil {
			return err
		}
	}
	k.nameMistake()
	if wrong != nil && (hidden || worst > loose) && k.Wrong() {
		path.LogF(logf, chains.At(k.DefectBeta))
		if err := k.other(ctx, k.DefectBeta, wrong, logf); err != nil {
			return err
		}
	}
	if len(refused) == len(k.Betas) && len(refused) > 0 && !k.Wrong() {
		// nothing has been found out about the kernel
		return fmt.Errorf("toy %s, beta %v: %w", k.Toy.Name, k.Betas[0], k.Toy.Explain(refused[0]))
	}
	return nil
}

// askedAgain is the most rows of a kernel that are asked for again at a beta.
const askedAgain = 512

// repeatRows asks a kernel of a user for rows again in a shuffled order. It is a fault if they
// depend on what was asked before.
func (k *Row) repeatRows(ctx context.Context, beta float64, d *kernel.Diagnosis, candidate chains.Kernel,
	logf []float64) error {
	if d.OfLibrary {
		return nil
	}
	order := rand.New(rand.NewPCG(1, 0)).Perm(len(logf))
	rows := kernel.RowsOf(ctx, candidate, logf)
	for _, x := range order[:min(len(order), askedAgain)] {
		row, err := rows(x)
		if err != nil && k.failed(beta, err) {
			return nil
		}
		if err != nil {
			return err
		}
		if off := largestDifference(row, d.Row(x)); off > rowTolerance+2*d.Remainder {
			k.under(beta).addExact("order", off, rowTolerance, check.Fault,
				fmt.Sprintf("the row of state %s changes if other states are asked about before; the kernel keeps "+
					"something from one move to another",
					k.stateName(x)))
			return nil
		}
	}
	return nil
}

// addAnnealing adds J and B of annealing with the kernel, and of annealing with the kernel
// metropolis for comparison.
func (k *Row) addAnnealing(ctx context.Context, path chains.Path, candidate *chains.Transitions,
	T int) error {
	type kernelOf struct {
		suffix string
		moves  *chains.Transitions
	}
	beside := []kernelOf{{"", candidate}}
	if metropolis, err := kernels.Parse(kernels.Metropolis{}.String(), k.Toy.Space); err == nil {
		// classes of values have no neighbours
		beside = append(beside, kernelOf{"_metropolis", chains.Always(metropolis)})
	}
	for _, c := range beside {
		a, err := chains.NewAnnealingBy(path, schedules.Linear{}, c.moves, T)
		if err != nil {
			return err
		}
		s, err := exact.Solve(ctx, a, exact.Options{Progress: k.how.Progress})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !k.Named && k.failed(math.NaN(), err) {
			continue
		}
		if err != nil {
			verdict := blame(err)
			if lost, is := errors.AsType[kernel.NotInvariant](err); is && lost.Moved <= flowTolerance {
				// each distribution keeps its probabilities to the tolerance of every finding above
				verdict = check.Open
			}
			where := "J and B are not computed: " + k.Toy.Explain(err).Error()
			if k.Named && verdict == check.Fault {
				verdict = check.Note
				where += "; this is not a verdict on the kernel at the betas that you asked for"
			}
			k.under(math.NaN()).addExact("annealing"+c.suffix, math.NaN(), math.NaN(), verdict, where)
			continue
		}
		where := strings.Join(append([]string{fmt.Sprintf("T = %d", T)}, s.Notes...), "; ")
		n := s.Numbers()
		k.addNumber("J"+c.suffix, n.J, where)
		k.addNumber("B"+c.suffix, n.B, where)
		if s.Reach != nil && s.Reach.EveryT {
			k.under(math.NaN()).addExact("J_floor"+c.suffix, s.Reach.Floor, math.NaN(), check.Note,
				"a lower bound on J at every T")
		}
	}
	return nil
}
