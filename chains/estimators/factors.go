package estimators

import "fmt"

// Factors is a low-rank model: y_ij ~ N(u_i . v_j, NoiseVariance) with vectors of K numbers, u_ik ~ N(0, UVariance) for each of N rows and
// v_jk ~ N(0, VVariance) for each of D columns.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.
type Factors struct {
	Y                                   [][]float64 // the data, a row each
	K                                   int         // the rank, at least 1 and below N and D
	UVariance, VVariance, NoiseVariance float64
}

// Validate returns an error where the numbers make no model: no data, rows of different lengths, what is not finite, a rank that is none or
// not below the numbers of rows and of columns, variances that are not positive, and magnitudes that would overflow.
func (m *Factors) Validate() error {
	for _, v := range []struct {
		name     string
		variance float64
	}{{"rows", m.UVariance}, {"columns", m.VVariance}, {"products of both", m.UVariance * m.VVariance}} {
		if err := checkVariances(v.name, v.variance, m.NoiseVariance); err != nil {
			return err
		}
	}
	if err := checkRows(m.Y, m.NoiseVariance); err != nil {
		return err
	}
	if least := min(len(m.Y), len(m.Y[0])); m.K < 1 || m.K >= least {
		return fmt.Errorf("rank %d for %d rows and %d columns; give a whole number from 1 to %d, since data of the full rank have no structure of low rank", m.K, len(m.Y), len(m.Y[0]), least-1)
	}
	return nil
}

// signal returns the variance of a product u_ik v_jk in units of that of the noise. With the data in these units, u ~ N(0, 1), v ~ N(0, signal)
// and noise of variance one, the model is the same.
func (m *Factors) signal() float64 { return m.UVariance * m.VVariance / m.NoiseVariance }

// work returns what so many sweeps cost. A sweep sets U and V, and is counted as the N K + K D draws of a scan that draws them.
func (m *Factors) work(sweeps float64) Work {
	return Work{Evaluations: sweeps * float64(m.K*(len(m.Y)+len(m.Y[0])))}
}
