/** Whether a run is of all tests of its projects, by the configuration that jest gives to reporters. */
exports.isWhole = ({ nonFlagArgs, testPathPatterns, testNamePattern }) =>
  !testNamePattern && (nonFlagArgs ?? []).length === 0 && !testPathPatterns?.isSet();
