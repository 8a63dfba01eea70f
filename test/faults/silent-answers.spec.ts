// Each of its tests waits until the limit of an answer is over.
import { describeLostAnswers } from '../support/database/lost-answers.js';

describeLostAnswers(['swallow', 'silence'], { statement: 2_000, answer: 2_500 });
