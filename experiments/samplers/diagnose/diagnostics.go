package diagnose

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
)

// Diagnostics are what package diagnostics says of some chains.
type Diagnostics struct {
	ESSBasic, ESSMean, ESSBulk, ESSTail float64 // of all chains: whole, split, rank-normalised, and of the tails
	ESSChain                            float64 // the mean over the chains of the effective sample size of each by itself
	BatchMeans                          float64 // the mean over the chains of that by batch means
	RHatBasic, RHatSplit, RHatRank      float64 // RHatBasic is NaN for a single chain
	// Geweke is the largest |z| of a chain. It is NaN for fewer than diagnostics.MinGeweke draws, and where no chain has a score.
	Geweke float64
}

// diagnose finds the diagnostics of draws, and notes those that they do not have. Those of many draws take seconds each, and are left to
// themselves where the context ends.
func (r *Row) diagnose(ctx context.Context, draws diagnostics.Draws) (err error) {
	found := *r
	if ended := chains.Unless(ctx, func() { err = found.diagnoseAll(ctx, draws) }); ended != nil {
		return ended
	}
	*r = found
	return err
}

func (r *Row) diagnoseAll(ctx context.Context, draws diagnostics.Draws) error {
	for _, one := range []struct {
		to *float64
		of func(diagnostics.Draws) (float64, error)
	}{
		{&r.ESSBasic, diagnostics.ESS}, {&r.ESSMean, diagnostics.ESSMean}, {&r.ESSBulk, diagnostics.ESSBulk}, {&r.ESSTail, diagnostics.ESSTail},
		{&r.RHatSplit, diagnostics.RHatSplit}, {&r.RHatRank, diagnostics.RHatRank},
	} {
		var err error
		if *one.to, err = one.of(draws); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if err := r.compare(draws); err != nil {
		return err
	}
	return r.each(ctx, draws)
}

// compare finds R-hat of whole chains.
func (r *Row) compare(draws diagnostics.Draws) (err error) {
	r.RHatBasic = math.NaN()
	if len(draws) == 1 {
		r.Notes = append(r.Notes, "one chain has no R-hat but that of its halves")
		return nil
	}
	if r.RHatBasic, err = diagnostics.RHat(draws); err != nil {
		return err
	}
	switch still := constantChains(draws); {
	case draws.Constant():
		r.Notes = append(r.Notes, "all draws are equal, so that there is no R-hat")
	case still == 1:
		r.Notes = append(r.Notes, fmt.Sprintf("1 of %d chains is constant", len(draws)))
	case still > 1:
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d chains are constant", still, len(draws)))
	}
	return nil
}

// each finds what is of single chains.
func (r *Row) each(ctx context.Context, draws diagnostics.Draws) error {
	r.Geweke = math.NaN()
	if len(draws[0]) < diagnostics.MinGeweke {
		r.Notes = append(r.Notes, fmt.Sprintf("Geweke's test needs %d draws in a chain", diagnostics.MinGeweke))
	}
	for _, x := range draws {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		ess, err := diagnostics.ESS(diagnostics.Draws{x})
		if err != nil {
			return err
		}
		batches, err := diagnostics.BatchMeans(x)
		if err != nil {
			return err
		}
		r.ESSChain += ess / float64(len(draws))
		r.BatchMeans += batches / float64(len(draws))
		if len(x) < diagnostics.MinGeweke {
			continue
		}
		z, err := diagnostics.Geweke(x)
		if err != nil {
			return err
		}
		if !(math.Abs(z) <= r.Geweke) && !math.IsNaN(z) {
			r.Geweke = math.Abs(z)
		}
	}
	return nil
}

// constantChains returns how many chains have the same value in all draws.
func constantChains(draws diagnostics.Draws) (count int) {
	for _, x := range draws {
		if (diagnostics.Draws{x}).Constant() {
			count++
		}
	}
	return count
}
