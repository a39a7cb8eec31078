// The order of allow lists in a profile.
import { languageAsWritten, type AllowLanguage, type Order } from 'lockkit/policy';

export const allowOrder: Order<AllowLanguage> = languageAsWritten;
