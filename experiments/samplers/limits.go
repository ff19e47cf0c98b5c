package samplers

const (
	// SuccessRESS is the real effective sample size from which chains have succeeded: their root mean squared error is then at most 0.29
	// standard deviations.
	//
	// Source: Turner and Neal 2017, section 5, after MacKay 2003.
	SuccessRESS = 12
	// MaxChains is the largest number of chains that a study sets side by side.
	MaxChains = 1000
)
